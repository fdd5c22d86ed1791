package io.sluice.cluster.roles;

import io.sluice.launcher.core.Role;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Goal: a process that was frozen, as on a suspended machine, works again. Method: the one with the roles agent and
 * monitor is stopped by a signal for longer than the others wait for it, and continued.
 */
@OnlyWithFaults
class SuspendTest {
    private static final Duration READY = Duration.ofSeconds(240);
    private static final Duration STILL = Duration.ofSeconds(20);
    private static final Duration BACK = Duration.ofSeconds(120);
    private static final Duration SCALED = Duration.ofSeconds(180);

    @Test
    @DisplayName("F7: all processes are ready after one was frozen for 20 s")
    void allAreReadyFromAllSidesAfterOneStoodStill() {
        var split = new Split(List.of(
                Set.of(Role.LEDGER, Role.GATEWAY, Role.LAB, Role.CLUSTER, Role.VM),
                Set.of(Role.LEDGER, Role.GATEWAY, Role.AGENT, Role.MONITOR),
                Set.of(Role.LEDGER, Role.GATEWAY, Role.PRESSURE)));
        try (var cluster = RoleCluster.onLoopback("suspend", split).start()) {
            cluster.awaitReady(READY);
            cluster.awaitScaled(SCALED);

            var agents = cluster.with(Role.AGENT);
            agents.freeze();
            ProcessFault.last(STILL);
            var unscaled = cluster.lab().sizes();
            agents.thaw();

            cluster.awaitReady(BACK);
            cluster.awaitScaled(unscaled, SCALED);
        }
    }
}
