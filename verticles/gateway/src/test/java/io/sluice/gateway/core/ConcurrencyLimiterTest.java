package io.sluice.gateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.core.ConcurrencyLimiter.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which requests are admitted, and when none are. */
class ConcurrencyLimiterTest {
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
}
