package io.sluice.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.shell.load.LoadPolicy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementConfigTest {
    @ParameterizedTest
    @ValueSource(strings = {"default-scheduler", "Own", "own scheduler", "-own"})
    void refusesNamesThatNoOwnSchedulerCanHave(String name) {
        assertThatThrownBy(() -> new PlacementConfig(LoadPolicy.RESERVED, 0.5, 0.8, 0, name, false, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("placement.schedulerName=" + name);
    }

    @Test
    void schedulesOnlyUnderAName() {
        assertThat(PlacementConfig.DEFAULTS.schedules()).isFalse();
        assertThat(new PlacementConfig(LoadPolicy.RESERVED, 0.5, 0.8, 0, "sluice.own-1", false, false).schedules())
                .isTrue();
    }
}
