package io.sluice.gateway.core.identity;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.shell.TokenReviewResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Goal: a result counts as long as it may, and the cache is bounded. Method: a clock that the test moves. */
class TokenReviewCacheTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final TokenReviewResult GOOD =
            new TokenReviewResult.Accepted("u", Optional.empty(), Optional.of("n1"));
    private static final TokenReviewResult BAD = new TokenReviewResult.Rejected("expired");
    private static final TokenMark A = mark("a");
    private static final TokenMark B = mark("b");
    private static final TokenMark C = mark("c");

    private final TokenReviewCache cache = new TokenReviewCache(2);

    @Test
    void trustsAGoodTokenForAMinuteAndRejectsABadOneForSomeSeconds() {
        cache.reviewed(A, GOOD, NOW);
        cache.reviewed(B, BAD, NOW);
        assertThat(cache.find(A.hash(), after(TokenReviewCache.ACCEPTED_FOR.minusMillis(1))))
                .contains(GOOD);
        assertThat(cache.find(A.hash(), after(TokenReviewCache.ACCEPTED_FOR))).isEmpty();
        assertThat(cache.find(B.hash(), after(TokenReviewCache.REJECTED_FOR.minusMillis(1))))
                .contains(BAD);
        assertThat(cache.find(B.hash(), after(TokenReviewCache.REJECTED_FOR))).isEmpty();
        assertThat(cache.find(C.hash(), NOW)).isEmpty();
    }

    @Test
    void trustsNoTokenBeyondItsEnd() {
        var ending = new TokenMark("a", Optional.of(NOW.plusSeconds(3)));
        cache.reviewed(ending, GOOD, NOW);
        assertThat(cache.find(ending.hash(), after(Duration.ofMillis(2999)))).contains(GOOD);
        assertThat(cache.find(ending.hash(), after(Duration.ofSeconds(3)))).isEmpty();
        var ended = new TokenMark("b", Optional.of(NOW.minusSeconds(1)));
        cache.reviewed(ended, GOOD, NOW);
        assertThat(cache.find(ended.hash(), NOW)).isEmpty();
        var far = new TokenMark("c", Optional.of(NOW.plus(Duration.ofDays(365))));
        cache.reviewed(far, GOOD, NOW);
        assertThat(cache.find(far.hash(), after(TokenReviewCache.ACCEPTED_FOR))).isEmpty();
    }

    @Test
    void theLastOutcomeCounts() {
        cache.reviewed(A, GOOD, NOW);
        cache.reviewed(A, BAD, NOW.plusSeconds(1));
        assertThat(cache.find(A.hash(), NOW.plusSeconds(2))).contains(BAD);
        cache.reviewed(A, GOOD, NOW.plusSeconds(3));
        assertThat(cache.find(A.hash(), NOW.plusSeconds(4))).contains(GOOD);
        assertThat(cache.size()).isEqualTo(1);
    }

    @Test
    void forgetsTheOldestWhenItIsFullAndNoGoodOneForABadOne() {
        cache.reviewed(A, GOOD, NOW);
        cache.reviewed(B, GOOD, NOW);
        for (int i = 0; i < 100; i++) {
            cache.reviewed(mark("bad" + i), BAD, NOW);
        }
        assertThat(cache.size()).isEqualTo(4);
        assertThat(cache.find(A.hash(), NOW)).contains(GOOD);
        cache.reviewed(A, GOOD, NOW.plusSeconds(1));
        cache.reviewed(C, GOOD, NOW);
        assertThat(cache.find(B.hash(), NOW)).isEmpty();
        assertThat(cache.find(A.hash(), NOW)).contains(GOOD);
        assertThat(cache.find("bad97", NOW)).isEmpty();
        assertThat(cache.find("bad99", NOW)).contains(BAD);
    }

    private static Instant after(Duration time) {
        return NOW.plus(time);
    }

    private static TokenMark mark(String hash) {
        return new TokenMark(hash, Optional.empty());
    }
}
