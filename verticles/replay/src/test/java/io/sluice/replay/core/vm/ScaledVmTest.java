package io.sluice.replay.core.vm;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.core.scaling.CoreConfig;
import org.junit.jupiter.api.Test;

class ScaledVmTest {
    private static final int MOST = 8;

    private final ScaledVm vm =
            new ScaledVm(CoreConfig.DEFAULTS, VmModel.DEFAULTS, MOST, MOST, PermitSource.ROOM_FOR_ALL);

    private void settle(int goal, long now, double unitsInMemory) {
        vm.goal(goal, now);
        vm.advance(now, unitsInMemory);
        vm.advance(now + 1, unitsInMemory);
    }

    @Test
    void growthIsReservedAtOnceAndUsedLater() {
        settle(2, 0, 0);
        vm.goal(6, 10);
        vm.advance(10, 0);

        assertThat(vm.usable()).isEqualTo(2);
        assertThat(vm.reserved()).isEqualTo(6);
        assertThat(vm.nextEvent()).isEqualTo(11);
        vm.advance(11, 0);
        assertThat(vm.usable()).isEqualTo(6);
    }

    @Test
    void whatAVmGivesBackIsFreeOnlyWhenItsStatusShowsIt() {
        vm.goal(3, 0);
        vm.advance(0, 0);

        assertThat(vm.usable()).isEqualTo(3);
        assertThat(vm.reserved()).isEqualTo(MOST);
        vm.advance(1, 0);
        assertThat(vm.reserved()).isEqualTo(3);
    }

    @Test
    void theMonitorDeniesADownscaleBelowTheMemoryInUse() {
        settle(2, 0, 4.5);

        assertThat(vm.usable()).isEqualTo(5);
        // Tried again after the cooldown.
        assertThat(vm.nextEvent()).isLessThan(10);
    }

    @Test
    void nothingIsDueWhileTheGoalIsReached() {
        settle(2, 0, 0);

        assertThat(vm.nextEvent()).isEqualTo(Long.MAX_VALUE);
        assertThat(vm.resizes()).isEqualTo(1);
    }
}
