package io.sluice.launcher.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RolesTest {
    @Test
    void takesAllForEveryRoleButThoseThatAreOnlyNamed() {
        assertThat(Roles.of(List.of("all")))
                .containsExactlyInAnyOrder(
                        Role.LEDGER,
                        Role.PRESSURE,
                        Role.PLACEMENT,
                        Role.AGENT,
                        Role.MONITOR,
                        Role.VM,
                        Role.CLUSTER,
                        Role.BILLING,
                        Role.GATEWAY);
        assertThat(Roles.of(List.of("ALL", "lab", "workers"))).hasSize(11).contains(Role.LAB, Role.WORKERS);
    }

    @Test
    void takesSingleRolesInAnyCase() {
        assertThat(Roles.of(List.of("Ledger", "node-agent"))).containsExactlyInAnyOrder(Role.LEDGER, Role.NODE_AGENT);
    }

    @Test
    void refusesEachNameThatStandsForNoRoleOfThisVersion() {
        assertThatThrownBy(() -> Roles.of(List.of("ledger", "leger")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "roles names \"leger\", which is no role; allowed are all, ledger, pressure, placement, agent,"
                                + " monitor, vm, cluster, billing, workers, pods, node-agent, gateway, lab");
        assertThatThrownBy(() -> Roles.of(List.of())).hasMessageContaining("at least one role");
    }
}
