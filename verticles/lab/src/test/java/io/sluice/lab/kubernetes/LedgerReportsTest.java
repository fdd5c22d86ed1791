package io.sluice.lab.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.bus.AgentAddresses;
import io.sluice.bus.EventAddress;
import io.sluice.bus.LedgerAddresses;
import io.sluice.lab.api.LabServer;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.neonvm.events.VmEventVerticle;
import io.sluice.neonvm.patch.VmConfig;
import io.sluice.neonvm.patch.VmPatchVerticle;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is written to a VM of an agent of the reference's kind, as the ledger reports it. */
@ExtendWith(LabServer.class)
class LedgerReportsTest extends DriverContract {
    private static final Resources SIZE = new Resources(1000, 4L << 30);
    private static final Resources MORE = new Resources(1500, 6L << 30);
    private static final Resources MOST = new Resources(2000, 8L << 30);

    @BeforeEach
    void deploy() {
        done(vertx.deployVerticle(new VmPatchVerticle(ScalingEventsContract.SOON, config, shell, client)));
        done(vertx.deployVerticle(new VmEventVerticle(VmConfig.DEFAULTS, config, shell, client)));
    }

    @Test
    void writesDownWhatWasRequestedAndPermittedAndOneEventOfEqualDenials() {
        for (int i = 0; i < 3; i++) {
            report(LedgerAddresses.VM_STATUS, MORE, Waiting.ROOM, "node-a has 0m of 8000m left");
        }

        await().until(() -> approved().equals("{\"vCPUs\":\"1500m\",\"mem\":\"6Gi\"}"));
        assertThat(annotation("internal.autoscaling.neon.tech/resources-requested"))
                .isEqualTo("{\"vCPUs\":2,\"mem\":\"8Gi\"}");
        await().until(() -> !raw.get(EVENTS).body().path("items").isEmpty());
        report(LedgerAddresses.VM_STATUS, MOST, Waiting.NOTHING, "");
        await().until(() -> approved().equals("{\"vCPUs\":2,\"mem\":\"8Gi\"}"));

        assertThat(raw.get(EVENTS).body().path("items")).singleElement().satisfies(event -> {
            assertThat(event.path("reason").asText()).isEqualTo("ScalingDenied");
            assertThat(event.path("count").asInt()).isEqualTo(1);
            assertThat(event.path("message").asText())
                    .isEqualTo("has 1/4Gi and requested 2/8Gi: node-a has 0m of 8000m left");
        });
        assertThat(proxy.records().stream().filter(entry -> entry.patches("db", MERGE)))
                .hasSize(2);
    }

    @Test
    void aRunnerThatWasSupersededWritesDownNothing() {
        report(LedgerAddresses.VM_STATUS, MORE, Waiting.NOTHING, "");
        await().until(() -> approved().contains("1500m"));

        await().until(() -> counted("sluice.vm.approvals", "written") == 1);

        report(AgentAddresses.STATUS, SIZE, Waiting.SUPERSEDED, "");
        report(AgentAddresses.STATUS, SIZE, Waiting.STOPPED, "");

        // The same verticle replies to this request, so it has received all earlier messages by then.
        claimed("r1");
        assertThat(shell.meters().get("sluice.vm.approvals.waiting").gauge().value())
                .isZero();
        report(AgentAddresses.STATUS, MOST, Waiting.NOTHING, "");
        await().until(() -> approved().equals("{\"vCPUs\":2,\"mem\":\"8Gi\"}"));
    }

    private void report(EventAddress<RunnerStatus> address, Resources permit, Waiting waiting, String reason) {
        bus.publish(
                address,
                new RunnerStatus(
                        vm,
                        "node-a",
                        "pod-uid",
                        SIZE,
                        Optional.of(MOST),
                        Optional.of(permit),
                        waiting,
                        Duration.ZERO,
                        GoalBasis.NONE,
                        reason,
                        Optional.empty()));
    }

    private String approved() {
        return annotation("internal.autoscaling.neon.tech/resources-approved");
    }

    private String annotation(String key) {
        return read().path("metadata").path("annotations").path(key).asText("");
    }
}
