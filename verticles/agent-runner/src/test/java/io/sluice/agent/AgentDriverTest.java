package io.sluice.agent;

import static io.sluice.agent.Surroundings.loadFor;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.shell.FakePeers;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Peer;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An agent, and two other processes that patch; one of them never replies. */
@ExtendWith(VertxExtension.class)
class AgentDriverTest {
    private static final Peer V1 = new Peer("v1", Set.of("vm"), "");
    private static final Peer V2 = new Peer("v2", Set.of("vm"), "");

    private final FakePeers peers = new FakePeers("p1", "agent");
    private Surroundings world;

    @BeforeEach
    void start(Vertx vertx) throws Exception {
        world = new Surroundings(vertx);
        world.start(vertx).await();
        peers.observes(V1, V2);
        var shell = new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
        vertx.deployVerticle(new AgentVerticle(Surroundings.CONFIG, shell.among(peers)))
                .await();
    }

    /** The request's own timeout is longer than the time that this test waits. */
    @Test
    void aPatchThatADeadProcessMayHaveAppliedIsRequestedAgain() throws Exception {
        world.holdPatches();
        var vm = world.vm("a", 2);
        world.loads.put("a", loadFor(4));
        world.observe(vm);
        await().until(() -> world.held() == 1);

        peers.observes(V2);

        await().until(() -> world.held() == 2);
    }
}
