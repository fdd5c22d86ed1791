package io.sluice.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.placement.core.gangs.GangSpec.MatchPolicy;
import io.sluice.shell.load.LoadPolicy;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacementConfigTest {
    @ParameterizedTest
    @ValueSource(strings = {"default-scheduler", "Own", "own scheduler", "-own"})
    void refusesNamesThatNoOwnSchedulerCanHave(String name) {
        assertThatThrownBy(() -> new PlacementConfig(LoadPolicy.RESERVED, 0.5, 0.8, 0, name, false, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("placement.schedulerName=" + name);
    }

    static Stream<Arguments> gangs() {
        var second = Duration.ofSeconds(1);
        return Stream.of(
                Arguments.of("timeout=0s must be positive, and at most 30m", gangs(Duration.ZERO, second, second, 10)),
                Arguments.of("timeout=31m must be", gangs(Duration.ofMinutes(31), second, second, 10)),
                Arguments.of("backoff=0s must be positive", gangs(second, Duration.ZERO, second, 10)),
                Arguments.of(
                        "backoffMax=1s must not be below placement.gangs.backoff=2s",
                        gangs(second, Duration.ofSeconds(2), second, 10)),
                Arguments.of("rejectPercentage=101 must be between 0 and 100", gangs(second, second, second, 101)));
    }

    private static Supplier<GangsConfig> gangs(Duration timeout, Duration backoff, Duration most, int percent) {
        return () -> new GangsConfig(true, timeout, backoff, most, percent, MatchPolicy.ONCE_SATISFIED, false);
    }

    @ParameterizedTest
    @MethodSource("gangs")
    void refusesTimesAndSharesThatGangsCannotHave(String words, Supplier<GangsConfig> config) {
        assertThatThrownBy(config::get)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("placement.gangs." + words);
    }

    @Test
    void schedulesOnlyUnderAName() {
        assertThat(PlacementConfig.DEFAULTS.schedules()).isFalse();
        assertThat(new PlacementConfig(LoadPolicy.RESERVED, 0.5, 0.8, 0, "sluice.own-1", false, false).schedules())
                .isTrue();
    }
}
