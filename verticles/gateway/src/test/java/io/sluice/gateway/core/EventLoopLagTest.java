package io.sluice.gateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When a gateway refuses because its event loop is late. */
class EventLoopLagTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);

    @Test
    void refusesWhileTheEventLoopIsLateAndAsLongAgain() {
        var lag = new EventLoopLag(Duration.ofMillis(50), Duration.ofMillis(500), NOW);
        lag.ticked(NOW.plusMillis(550));
        assertThat(lag.isTooLate(NOW.plusMillis(550))).isFalse();
        assertThat(lag.isTooLate(NOW.plusMillis(1_100))).isFalse();
        assertThat(lag.isTooLate(NOW.plusMillis(1_101)))
                .as("before the tick that is late")
                .isTrue();
        lag.ticked(NOW.plusMillis(1_101));
        lag.ticked(NOW.plusMillis(1_151));
        assertThat(lag.isTooLate(NOW.plusMillis(1_601))).isTrue();
        assertThat(lag.isTooLate(NOW.plusMillis(1_602))).isFalse();
    }

    @Test
    @DisplayName("F7: what came while the process stood still is refused")
    void refusesWhatCameDuringAPause() {
        var lag = new EventLoopLag(Duration.ofMillis(50), Duration.ofMillis(500), NOW);
        var continued = NOW.plusSeconds(10);
        assertThat(lag.isTooLate(continued)).as("read before the first tick").isTrue();
        for (int millis = 0; millis < 1_000; millis += 50) {
            lag.ticked(continued.plusMillis(millis));
            assertThat(lag.isTooLate(continued.plusMillis(millis))).isTrue();
        }
        assertThat(lag.isTooLate(continued.plusMillis(1_000))).isFalse();
    }
}
