package io.sluice.agent.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TimerCoalescerTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00.0004Z");

    @Test
    void areNeverTooSoonAndLateByASmallPartOfTheWaitAtMost() {
        var random = new Random(1);
        for (int i = 0; i < 100_000; i++) {
            var wait = Duration.ofNanos(random.nextLong(-1_000_000, 1L << random.nextInt(20, 40)));
            var due = NOW.plus(wait);
            var late = Duration.between(due, TimerCoalescer.together(due, NOW));

            assertThat(late).isGreaterThanOrEqualTo(Duration.ZERO).isLessThan(Duration.ofMillis(16));
            assertThat(late).isLessThanOrEqualTo(wait.isNegative() ? Duration.ZERO : wait.dividedBy(64));
        }
    }

    @Test
    void ofManyVmsFallTogether() {
        var random = new Random(2);
        var instants = new HashSet<Instant>();
        for (int i = 0; i < 10_000; i++) {
            instants.add(TimerCoalescer.together(NOW.plusNanos(5_000_000_000L + random.nextLong(1_000_000_000)), NOW));
        }
        assertThat(instants).hasSizeLessThanOrEqualTo(1_000 / 16 + 2);
    }

    @Test
    void leaveWhatIsDueSoonAsItIs() {
        var due = NOW.plusMillis(127);
        assertThat(TimerCoalescer.together(due, NOW)).isEqualTo(due);
        assertThat(TimerCoalescer.together(NOW.minusMillis(5), NOW)).isEqualTo(NOW.minusMillis(5));
    }
}
