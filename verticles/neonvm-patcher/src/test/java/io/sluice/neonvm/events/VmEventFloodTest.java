package io.sluice.neonvm.events;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.patch.VmConfig;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Events for an API server that never answers. */
@ExtendWith(VertxExtension.class)
class VmEventFloodTest {
    private static final int DENIED = 1_500;
    private static final int KEPT = 1_000 + 4;

    @Test
    void dropsWhatIsBeyondItsBound(Vertx vertx) {
        var meters = new SimpleMeterRegistry();
        var bus = new Bus(vertx);
        var server = vertx.createHttpServer()
                .requestHandler(unanswered -> {})
                .listen(0, "127.0.0.1")
                .await();
        var config = KubernetesConfig.DEFAULTS.at("http://127.0.0.1:" + server.actualPort());
        var shell = new Shell(new MonotonicClock(), meters, new Readiness(), new Random(1));
        try (var client = KubernetesConnection.open(config)) {
            var deployed = vertx.deployVerticle(new VmEventVerticle(VmConfig.DEFAULTS, config, shell, client))
                    .await();

            for (int i = 0; i < DENIED; i++) {
                bus.publish(AgentAddresses.DECISION, denied(i));
            }

            await().until(() -> dropped(meters) > 0);
            vertx.undeploy(deployed).await();
            assertThat(dropped(meters)).isLessThanOrEqualTo(DENIED - KEPT);
        }
    }

    private static double dropped(SimpleMeterRegistry meters) {
        return meters.get("sluice.vm.events")
                .tag("outcome", "dropped")
                .counter()
                .count();
    }

    private static Decision denied(int number) {
        var name = "vm-" + number;
        return new Decision(
                Decision.Kind.DENIED,
                new VmId("neonvm", "default", name, name),
                "node",
                Resources.NONE,
                Resources.NONE,
                Optional.empty(),
                GoalBasis.NONE,
                "no room",
                1);
    }
}
