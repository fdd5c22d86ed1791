package io.sluice.billing.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.messages.cluster.VmPhase;
import java.util.EnumSet;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BillingScopeTest {
    private static final BillingScope SCOPE = BillingScope.ofNode("here");
    private static final Optional<String> ENDPOINT = Optional.of("ep-1");
    private static final OptionalLong CPU = OptionalLong.of(250);

    @ParameterizedTest
    @EnumSource
    void billsExactlyThoseThatAreAlive(VmPhase phase) {
        var alive = EnumSet.of(VmPhase.RUNNING, VmPhase.SCALING, VmPhase.PRE_MIGRATING, VmPhase.MIGRATING);

        assertThat(SCOPE.covers("here", ENDPOINT, phase, CPU)).isEqualTo(alive.contains(phase));
    }

    @Test
    void billsWhatRunsOnItsOwnNodeAlone() {
        assertThat(SCOPE.covers("elsewhere", ENDPOINT, VmPhase.RUNNING, CPU)).isFalse();
        assertThat(SCOPE.covers("", ENDPOINT, VmPhase.RUNNING, CPU)).isFalse();
        assertThatThrownBy(() -> BillingScope.ofNode("")).hasMessageContaining("node");
    }

    @Test
    void anEmptyNameOfAnEndpointIsBilledAndNoneIsNot() {
        assertThat(SCOPE.covers("here", Optional.of(""), VmPhase.RUNNING, CPU)).isTrue();
        assertThat(SCOPE.covers("here", Optional.empty(), VmPhase.RUNNING, CPU)).isFalse();
    }

    @Test
    void billsNoVmBeforeItsDriverHasReportedItsSize() {
        assertThat(SCOPE.covers("here", ENDPOINT, VmPhase.RUNNING, OptionalLong.empty()))
                .isFalse();
        assertThat(SCOPE.covers("here", ENDPOINT, VmPhase.RUNNING, OptionalLong.of(0)))
                .isTrue();
    }
}
