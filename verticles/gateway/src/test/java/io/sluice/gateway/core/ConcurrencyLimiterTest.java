package io.sluice.gateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.core.ConcurrencyLimiter.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests are admitted, and when none are. */
class ConcurrencyLimiterTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);

    @Test
    void keepsRoomForNewcomers() {
        var limiter = new ConcurrencyLimiter(16);
        for (int i = 0; i < 14; i++) {
            assertThat(limiter.enter("noisy")).isEqualTo(Entry.ADMITTED);
        }
        assertThat(limiter.enter("noisy")).isEqualTo(Entry.GREEDY);
        assertThat(limiter.enter("polite")).isEqualTo(Entry.ADMITTED);
        assertThat(limiter.enter("noisy")).isEqualTo(Entry.GREEDY);
        assertThat(limiter.enter("polite")).isEqualTo(Entry.ADMITTED);
        assertThat(limiter.enter("polite")).isEqualTo(Entry.FULL);
        limiter.left("noisy");
        assertThat(limiter.enter("noisy")).isEqualTo(Entry.GREEDY);
        assertThat(limiter.enter("polite")).isEqualTo(Entry.ADMITTED);
    }

    @Test
    void letsOnePeerAloneHaveAnythingButThat() {
        var limiter = new ConcurrencyLimiter(2);
        assertThat(limiter.enter("a")).isEqualTo(Entry.ADMITTED);
        assertThat(limiter.enter("a")).isEqualTo(Entry.ADMITTED);
        assertThat(limiter.enter("b")).isEqualTo(Entry.FULL);
        limiter.left("a");
        assertThat(limiter.enter("b")).isEqualTo(Entry.ADMITTED);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 20261121})
    void countsRequestsUnderWayUnderAnyHistory(long seed) {
        var random = new Random(seed);
        var limiter = new ConcurrencyLimiter(1 + random.nextInt(64));
        List<String> in = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            if (random.nextBoolean() || in.isEmpty()) {
                var peer = "peer-" + random.nextInt(5);
                if (limiter.enter(peer) == Entry.ADMITTED) {
                    in.add(peer);
                }
            } else {
                limiter.left(in.remove(random.nextInt(in.size())));
            }
            assertThat(limiter.total()).as("seed %d step %d", seed, i).isEqualTo(in.size());
        }
        in.forEach(limiter::left);
        assertThat(limiter.enter("anybody")).isEqualTo(Entry.ADMITTED);
    }

    @Test
    void turnsAwayWhileTheEventLoopIsLate() {
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
    void turnsAwayWhatCameDuringAPause() {
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
