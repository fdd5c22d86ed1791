package io.sluice.lab.load.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class FileCacheLoadTest {
    private static final long GIB = 1L << 30;
    private static final long PAGES_PER_GIB = GIB / FileCacheLoad.PAGE_BYTES;
    private static final Instant START = Instant.parse("2026-01-02T03:04:05Z");
    private static final FileCachePlan PLAN = new FileCachePlan(2 * GIB, 8 * GIB, Duration.ofHours(12));

    /** A day in a minute. */
    private final FileCacheLoad cache = new FileCacheLoad(PLAN, 24 * 60, START);

    @Test
    void beginsWithAsManyWindowsAsThereAreAllAtItsLeast() {
        assertThat(cache.reading(GIB).windowPages()).hasSize(60).containsOnly(2 * PAGES_PER_GIB);
    }

    @Test
    void isAtItsMostHalfAPeriodLaterAndAtItsLeastAgainAfterOne() {
        assertThat(lastWindow(15)).isEqualTo(8 * PAGES_PER_GIB);
        assertThat(cache.reading(GIB).windowPages().getFirst()).isEqualTo(8 * PAGES_PER_GIB);
        lastWindow(30);
        assertThat(cache.reading(GIB).windowPages().getFirst()).isEqualTo(2 * PAGES_PER_GIB);
    }

    @Test
    void longerWindowsNeverShowLessAndForgetAShrinkingSetLater() {
        for (int second = 0; second < 40; second++) {
            lastWindow(second);
            assertThat(cache.reading(GIB).windowPages()).isSorted();
        }
        lastWindow(20 + 30);
        var falling = cache.reading(GIB).windowPages();
        assertThat(falling.getLast()).isGreaterThan(falling.getFirst());
    }

    @Test
    void hitsWhatFitsAndMissesTheRest() {
        cache.advance(START.plusSeconds(1), 100 * GIB);
        var roomy = cache.reading(100 * GIB);
        assertThat(roomy.hits()).isPositive();
        assertThat(roomy.misses()).isZero();

        cache.advance(START.plusSeconds(2), GIB);
        var tight = cache.reading(GIB);
        assertThat(tight.misses()).isPositive();
        assertThat(tight.usedPages()).isEqualTo(PAGES_PER_GIB);
        assertThat(tight.limitPages()).isEqualTo(PAGES_PER_GIB);
    }

    @Test
    void anEarlierTimeChangesNothing() {
        cache.advance(START.plusSeconds(9), GIB);
        var before = cache.reading(GIB);
        cache.advance(START, GIB);
        assertThat(cache.reading(GIB)).isEqualTo(before);
    }

    @Test
    void refusesASetThatIsLessAtItsMost() {
        assertThatThrownBy(() -> new FileCachePlan(2, 1, Duration.ofHours(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 to 1");
    }

    private long lastWindow(int second) {
        cache.advance(START.plusSeconds(second), GIB);
        return cache.reading(GIB).windowPages().getLast();
    }
}
