package io.sluice.billing.core.reference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReferenceScheduleTest {
    private static final Instant START = Instant.parse("2025-03-04T05:06:07.123456789Z");
    private static final ReferenceSchedule DEPLOYED =
            new ReferenceSchedule(START, Duration.ofSeconds(4), Duration.ofSeconds(24));

    @Test
    void looksHalfASecondAfterTheStartAndThenAtMultiplesOfThePeriod() {
        assertThat(msOf(DEPLOYED::lookAfter)).containsExactly(500L, 4_000L, 8_000L, 12_000L);
    }

    @Test
    void endsWindowsHalfASecondAfterMultiplesOfThePeriod() {
        assertThat(DEPLOYED.firstWindowStart()).isEqualTo(START.plusMillis(500));
        assertThat(msOf(DEPLOYED::windowEndAfter)).containsExactly(24_500L, 48_500L, 72_500L, 96_500L);
    }

    @Test
    void aLateTickContinuesWithTheNextTickToCome() {
        assertThat(DEPLOYED.lookAfter(START.plusMillis(9_999))).isEqualTo(START.plusMillis(12_000));
        assertThat(DEPLOYED.windowEndAfter(START.plusMillis(60_000))).isEqualTo(START.plusMillis(72_500));
    }

    @Test
    void periodsOfHalfASecondAndLessBeginAtHalfASecondToo() {
        var dense = new ReferenceSchedule(START, Duration.ofMillis(200), Duration.ofMillis(100));

        assertThat(msOf(dense::lookAfter)).containsExactly(500L, 600L, 800L, 1_000L);
        assertThat(msOf(dense::windowEndAfter)).containsExactly(600L, 700L, 800L, 900L);
    }

    @Test
    void refusesPeriodsOfNoLength() {
        var second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new ReferenceSchedule(START, Duration.ZERO, second))
                .hasMessageContaining("collectEvery");
        assertThatThrownBy(() -> new ReferenceSchedule(START, second, second.negated()))
                .hasMessageContaining("accumulateEvery");
    }

    private static List<Long> msOf(UnaryOperator<Instant> next) {
        return Stream.iterate(next.apply(START.minusSeconds(3)), next)
                .limit(4)
                .map(tick -> Duration.between(START, tick).toMillis())
                .toList();
    }
}
