package io.sluice.gateway.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.shell.TokenReviewResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Goal: a verdict is believed as long as it may be, and what is kept is bounded. Method: a clock moved by hand. */
class TokenReviewCacheTest {
    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
    private static final TokenReviewResult GOOD =
            new TokenReviewResult.Accepted("u", Optional.empty(), Optional.of("n1"));
    private static final TokenReviewResult BAD = new TokenReviewResult.Rejected("expired");
    private static final TokenMark A = mark("a");
    private static final TokenMark B = mark("b");
    private static final TokenMark C = mark("c");

    private final TokenReviewCache book = new TokenReviewCache(2);

    @Test
    void believesAGoodTokenForAMinuteAndABadOneForSomeSeconds() {
        book.told(A, GOOD, NOW);
        book.told(B, BAD, NOW);
        assertThat(book.find(A.hash(), after(TokenReviewCache.ACCEPTED_FOR.minusMillis(1))))
                .contains(GOOD);
        assertThat(book.find(A.hash(), after(TokenReviewCache.ACCEPTED_FOR))).isEmpty();
        assertThat(book.find(B.hash(), after(TokenReviewCache.REJECTED_FOR.minusMillis(1))))
                .contains(BAD);
        assertThat(book.find(B.hash(), after(TokenReviewCache.REJECTED_FOR))).isEmpty();
        assertThat(book.find(C.hash(), NOW)).isEmpty();
    }

    @Test
    void believesNoTokenBeyondItsEnd() {
        var ending = new TokenMark("a", Optional.of(NOW.plusSeconds(3)));
        book.told(ending, GOOD, NOW);
        assertThat(book.find(ending.hash(), after(Duration.ofMillis(2999)))).contains(GOOD);
        assertThat(book.find(ending.hash(), after(Duration.ofSeconds(3)))).isEmpty();
        var ended = new TokenMark("b", Optional.of(NOW.minusSeconds(1)));
        book.told(ended, GOOD, NOW);
        assertThat(book.find(ended.hash(), NOW)).isEmpty();
        var far = new TokenMark("c", Optional.of(NOW.plus(Duration.ofDays(365))));
        book.told(far, GOOD, NOW);
        assertThat(book.find(far.hash(), after(TokenReviewCache.ACCEPTED_FOR))).isEmpty();
    }

    @Test
    void theLastVerdictStands() {
        book.told(A, GOOD, NOW);
        book.told(A, BAD, NOW.plusSeconds(1));
        assertThat(book.find(A.hash(), NOW.plusSeconds(2))).contains(BAD);
        book.told(A, GOOD, NOW.plusSeconds(3));
        assertThat(book.find(A.hash(), NOW.plusSeconds(4))).contains(GOOD);
        assertThat(book.size()).isEqualTo(1);
    }

    @Test
    void forgetsTheOldestWhenItIsFullAndNoGoodOneForABadOne() {
        book.told(A, GOOD, NOW);
        book.told(B, GOOD, NOW);
        for (int i = 0; i < 100; i++) {
            book.told(mark("bad" + i), BAD, NOW);
        }
        assertThat(book.size()).isEqualTo(4);
        assertThat(book.find(A.hash(), NOW)).contains(GOOD);
        book.told(A, GOOD, NOW.plusSeconds(1));
        book.told(C, GOOD, NOW);
        assertThat(book.find(B.hash(), NOW)).isEmpty();
        assertThat(book.find(A.hash(), NOW)).contains(GOOD);
        assertThat(book.find("bad97", NOW)).isEmpty();
        assertThat(book.find("bad99", NOW)).contains(BAD);
    }

    private static Instant after(Duration time) {
        return NOW.plus(time);
    }

    private static TokenMark mark(String hash) {
        return new TokenMark(hash, Optional.empty());
    }
}
