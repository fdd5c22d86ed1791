package io.sluice.launcher.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class RolesTest {
    @Test
    void takesAllForEveryRoleThatExistsButTheLab() {
        assertThat(Roles.of(List.of("all")))
                .containsExactlyInAnyOrder(
                        Role.LEDGER,
                        Role.PRESSURE,
                        Role.AGENT,
                        Role.MONITOR,
                        Role.VM,
                        Role.CLUSTER,
                        Role.BILLING,
                        Role.GATEWAY);
        assertThat(Roles.of(List.of("ALL", "lab"))).hasSize(9).contains(Role.LAB);
    }

    @Test
    void takesSingleRolesInAnyCase() {
        assertThat(Roles.of(List.of("Ledger", "gateway"))).containsExactlyInAnyOrder(Role.LEDGER, Role.GATEWAY);
    }

    @Test
    void refusesEachNameThatStandsForNoRoleOfThisVersion() {
        assertThatThrownBy(() -> Roles.of(List.of("ledger", "placement", "leger")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("roles names placement, which this version does not have yet; allowed are"
                        + " all, ledger, pressure, agent, monitor, vm, cluster, billing, gateway, lab;"
                        + " roles names \"leger\", which is no role; allowed are"
                        + " all, ledger, pressure, agent, monitor, vm, cluster, billing, gateway, lab");
        assertThatThrownBy(() -> Roles.of(List.of())).hasMessageContaining("at least one role");
    }
}
