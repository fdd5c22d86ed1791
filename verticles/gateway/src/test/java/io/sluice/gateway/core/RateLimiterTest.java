package io.sluice.gateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
    private final RateLimiter gate = new RateLimiter(10, 3);

    @Test
    void letsABurstThroughAndThenTheRate() {
        for (int i = 0; i < 3; i++) {
            assertThat(gate.pass("a", NOW)).isEmpty();
        }
        assertThat(gate.pass("a", NOW)).contains(Duration.ofMillis(100));
        assertThat(gate.pass("b", NOW)).isEmpty();
        assertThat(gate.pass("a", NOW.plusMillis(99))).contains(Duration.ofMillis(1));
        assertThat(gate.pass("a", NOW.plusMillis(100))).isEmpty();
        assertThat(gate.pass("a", NOW.plusMillis(100))).isPresent();
    }

    @Test
    @DisplayName("F18: the rate limit reports when to retry")
    void reportsHowLongToWaitWithoutSpending() {
        for (int i = 0; i < 10; i++) {
            assertThat(gate.waiting("a", NOW)).isEmpty();
        }
        for (int i = 0; i < 3; i++) {
            gate.pass("a", NOW);
        }
        assertThat(gate.waiting("a", NOW)).contains(Duration.ofMillis(100));
        assertThat(gate.waiting("a", NOW.plusMillis(100))).isEmpty();
    }

    @Test
    void savesUpNoMoreThanABurst() {
        assertThat(gate.pass("a", NOW)).isEmpty();
        var later = NOW.plusSeconds(3600);
        for (int i = 0; i < 3; i++) {
            assertThat(gate.pass("a", later)).isEmpty();
        }
        assertThat(gate.pass("a", later)).isPresent();
    }

    @Test
    void tidyingGivesNoClientMore() {
        for (int i = 0; i < 3; i++) {
            gate.pass("a", NOW);
        }
        gate.tidy(NOW.plusMillis(50));
        assertThat(gate.pass("a", NOW.plusMillis(50))).isPresent();
        gate.tidy(NOW.plusMillis(300));
        for (int i = 0; i < 3; i++) {
            assertThat(gate.pass("a", NOW.plusMillis(300))).isEmpty();
        }
        assertThat(gate.pass("a", NOW.plusMillis(300))).isPresent();
    }
}
