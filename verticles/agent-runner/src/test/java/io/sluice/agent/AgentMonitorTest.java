package io.sluice.agent;

import static io.sluice.agent.Surroundings.cu;
import static io.sluice.agent.Surroundings.loadFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.MonitorAddresses;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.monitor.MonitorState;
import io.sluice.messages.monitor.ResizeReply;
import io.sluice.shell.Assignment;
import io.sluice.shell.FakePeers;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Peer;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An agent without monitors of its own, and two other processes that keep sessions with them. */
@ExtendWith(VertxExtension.class)
class AgentMonitorTest {
    private static final Peer D1 = new Peer("d1", Set.of("monitor"), "");
    private static final Peer D2 = new Peer("d2", Set.of("monitor"), "");

    private final FakePeers peers = new FakePeers("p1", "agent");
    private final List<String> requested = new CopyOnWriteArrayList<>();
    private Surroundings world;
    private VmObserved vm;

    @BeforeEach
    void start(Vertx vertx) throws Exception {
        world = new Surroundings(vertx);
        world.start(vertx).await();
        // The second counts far behind the first.
        serve("d1", 1_000);
        serve("d2", 1);
        peers.observes(D1, D2);
        var shell = new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
        vertx.deployVerticle(new AgentVerticle(Surroundings.CONFIG, shell.among(peers)))
                .await();
        vm = world.vm("a", 2);
        world.loads.put("a", loadFor(2));
    }

    private void serve(String id, long generation) throws Exception {
        world.bus
                .serve(MonitorAddresses.ATTACH.at(id), request -> {
                    requested.add("attach " + id);
                    return Future.succeededFuture(new MonitorState(request.vm(), generation, true, "", id));
                })
                .await();
        world.bus
                .serve(MonitorAddresses.DETACH.at(id), request -> {
                    requested.add("detach " + id);
                    return Future.succeededFuture(new MonitorState(request.vm(), generation + 1, false, "", id));
                })
                .await();
        world.bus
                .serve(MonitorAddresses.UPSCALE.at(id), request -> {
                    requested.add("upscale " + id + " " + request.generation());
                    return Future.succeededFuture(new ResizeReply.Accepted(""));
                })
                .await();
        world.bus
                .serve(MonitorAddresses.DOWNSCALE.at(id), request -> {
                    requested.add("downscale " + id + " " + request.generation());
                    return Future.succeededFuture(new ResizeReply.Accepted(""));
                })
                .await();
    }

    @Test
    void requestsWhereTheSessionIsAndFollowsItToAnotherProcess() throws Exception {
        var first = new Assignment(peers, "monitor").holder(vm.vm().label()).orElseThrow();
        var second = first.equals("d1") ? "d2" : "d1";
        world.observe(vm);
        await().until(() -> requested.contains("attach " + first));
        world.loads.put("a", loadFor(6));
        // The guest of a session that was there before is notified before the VM has grown, too.
        await().until(() ->
                world.target(vm).equals(cu(6)) && requested.contains("upscale " + first + " " + generation(first)));
        assertThat(requested).noneMatch(request -> request.contains(second));

        peers.observes(first.equals("d1") ? D2 : D1);
        await().until(() -> requested.contains("detach " + first) && requested.contains("attach " + second));
        world.bus.publish(MonitorAddresses.STATE, new MonitorState(vm.vm(), 5_000, false, "its lease ended", first));
        requested.clear();
        world.loads.put("a", loadFor(3));
        await().until(() -> world.target(vm).equals(cu(3)));
        assertThat(requested)
                .contains("downscale " + second + " " + generation(second))
                .noneMatch(request -> request.contains(first));
        assertThat(world.received).doesNotContain("monitor.attach", "monitor.downscale", "monitor.upscale");
    }

    private static long generation(String id) {
        return id.equals("d1") ? 1_000 : 1;
    }
}
