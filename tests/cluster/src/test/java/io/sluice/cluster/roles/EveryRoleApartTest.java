package io.sluice.cluster.roles;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.launcher.core.Role;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Goal: each role works with all others in other processes. Method: one process for each role; the one with the role
 * ledger starts last.
 */
@OnlyWithFaults
class EveryRoleApartTest {
    private static final Duration REPORTED = Duration.ofSeconds(180);
    private static final Duration READY = Duration.ofSeconds(240);
    private static final Duration SCALED = Duration.ofSeconds(180);
    private static final String NO_LEDGER = "members: a process with the role ledger to join";
    private static final String NO_VM = "no process with the role vm exists (agent needs it)";

    @Test
    void allWaitForTheLedgerScaleWithItAndMissThePatcher() {
        try (var cluster = RoleCluster.onLoopback("apart", Split.apart())) {
            startsWaitingForTheLedger(cluster);
            cluster.with(Role.LEDGER).start();
            cluster.awaitReady(READY);
            reportsNoCut(cluster);
            cluster.awaitScaled(SCALED);
            cluster.awaitPodScaled(cluster.lab().podSize(), SCALED);
            losesThePatcher(cluster);
            var unpatched = cluster.lab().sizes();
            cluster.with(Role.VM).start();
            cluster.awaitReady(READY);
            cluster.awaitScaled(unpatched, SCALED);
            cluster.within(
                    REPORTED,
                    () -> assertThat(cluster.with(Role.GATEWAY).requestStatus())
                            .satisfies(status -> assertThat(status.status())
                                    .as("%s", status.output())
                                    .isZero()));
        }
    }

    private static void startsWaitingForTheLedger(RoleCluster cluster) {
        var others = cluster.processes().stream()
                .filter(process -> !process.has(Role.LEDGER))
                .toList();
        others.forEach(RoleProcess::start);
        cluster.within(
                REPORTED,
                () -> assertThat(reported(others))
                        .allSatisfy(text -> assertThat(text).contains(NO_LEDGER)));
    }

    private static List<String> reported(List<RoleProcess> some) {
        return some.stream().map(RoleProcess::readiness).toList();
    }

    private static void reportsNoCut(RoleCluster cluster) {
        assertThat(cluster.with(Role.GATEWAY).console().cluster().path("notes").findValuesAsText("sentence"))
                .noneMatch(entry -> entry.contains("cut off"));
    }

    private static void losesThePatcher(RoleCluster cluster) {
        cluster.with(Role.VM).kill();
        var agent = cluster.with(Role.AGENT);
        cluster.within(REPORTED, () -> assertThat(agent.readiness()).contains(NO_VM));
        var gateway = cluster.with(Role.GATEWAY);
        cluster.within(REPORTED, () -> {
            var status = gateway.requestStatus();
            assertThat(status.status()).as("%s", status.output()).isEqualTo(1);
            assertThat(status.output()).contains("waiting").contains(NO_VM);
        });
    }
}
