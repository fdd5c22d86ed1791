package io.sluice.agent.core.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.agent.core.runner.RunnerRig;
import java.time.Duration;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RestartPaceTest {
    private static final RestartPace PACE = RunnerRig.CONFIG.restarts();

    @Test
    void followsOneThatEndedEarlyFiveToTenSecondsAfterItStarted() {
        assertSpread(seed -> PACE.afterFault(Duration.ZERO, new Random(seed)), 5_000, 10_000);
        assertSpread(seed -> PACE.afterFault(Duration.ofSeconds(3), new Random(seed)), 2_000, 7_000);
    }

    @Test
    void followsAtOnceOneThatLivedForLong() {
        assertThat(PACE.afterFault(Duration.ofSeconds(10), new Random(1))).isZero();
        assertThat(PACE.afterFault(Duration.ofHours(1), new Random(1))).isZero();
        assertThat(LongStream.range(0, 100)
                        .mapToObj(seed -> PACE.afterFault(Duration.ofMillis(9_999), new Random(seed))))
                .allMatch(wait -> !wait.isNegative() && wait.compareTo(Duration.ofMillis(1)) <= 0);
    }

    @Test
    void doublesTheWaitOfOneThatIsSupersededAgainAndAgainUpToItsCap() {
        assertSpread(seed -> PACE.afterSuperseded(0, new Random(seed)), 5_000, 10_000);
        assertSpread(seed -> PACE.afterSuperseded(1, new Random(seed)), 10_000, 20_000);
        assertThat(PACE.afterSuperseded(4, new Random(1))).isEqualTo(Duration.ofSeconds(60));
        assertThat(PACE.afterSuperseded(Integer.MAX_VALUE, new Random(1))).isEqualTo(Duration.ofSeconds(60));
    }

    @ParameterizedTest
    @CsvSource({"5, 4, 60, 10, must not fall", "5, 10, 9, 10, must not fall", "5, 10, 60, -1, restartFreeAfter=-1s"})
    void refusesWaitsThatFall(int min, int max, int cap, int free, String named) {
        assertThatThrownBy(() -> new RestartPace(seconds(min), seconds(max), seconds(cap), seconds(free)))
                .hasMessageContaining(named);
    }

    private static void assertSpread(LongFunction<Duration> drawn, long leastMs, long mostMs) {
        var waits =
                LongStream.range(0, 200).mapToObj(drawn).map(Duration::toMillis).toList();
        long tenth = (mostMs - leastMs) / 10;
        assertThat(waits).allMatch(wait -> wait >= leastMs && wait < mostMs);
        assertThat(waits).anyMatch(wait -> wait < leastMs + tenth).anyMatch(wait -> wait >= mostMs - tenth);
    }

    private static Duration seconds(int seconds) {
        return Duration.ofSeconds(seconds);
    }
}
