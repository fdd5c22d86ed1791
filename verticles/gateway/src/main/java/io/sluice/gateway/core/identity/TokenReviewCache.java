package io.sluice.gateway.core.identity;

import io.sluice.shell.BoundedMap;
import io.sluice.shell.TokenReviewResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * The results of recent token reviews, by the tokens' hashes. A valid one counts for a minute and never beyond its end,
 * an invalid one for some seconds; invalid ones never evict valid ones.
 */
public final class TokenReviewCache {
    static final Duration ACCEPTED_FOR = Duration.ofSeconds(60);
    static final Duration REJECTED_FOR = Duration.ofSeconds(5);
    private static final int EACH_MAX = 10_000;

    private final Map<String, Cached> accepted;
    private final Map<String, Cached> rejected;

    /** Creates an empty cache. */
    public TokenReviewCache() {
        this(EACH_MAX);
    }

    TokenReviewCache(int eachMax) {
        accepted = BoundedMap.ofNewest(eachMax);
        rejected = BoundedMap.ofNewest(eachMax);
    }

    /** Returns the result that still counts for the token with that hash. */
    public Optional<TokenReviewResult> find(String hash, Instant now) {
        return find(accepted, hash, now).or(() -> find(rejected, hash, now));
    }

    /**
     * Takes the result of a review.
     *
     * @param requested when the review was requested
     */
    public void reviewed(TokenMark token, TokenReviewResult result, Instant requested) {
        accepted.remove(token.hash());
        rejected.remove(token.hash());
        switch (result) {
            case TokenReviewResult.Accepted good -> {
                var usual = requested.plus(ACCEPTED_FOR);
                var until = token.ends().filter(usual::isAfter).orElse(usual);
                accepted.put(token.hash(), new Cached(good, until));
            }
            case TokenReviewResult.Rejected bad ->
                rejected.put(token.hash(), new Cached(bad, requested.plus(REJECTED_FOR)));
        }
    }

    /** Returns how many tokens have an entry. */
    public int size() {
        return accepted.size() + rejected.size();
    }

    private static Optional<TokenReviewResult> find(Map<String, Cached> entries, String hash, Instant now) {
        return Optional.ofNullable(entries.get(hash))
                .filter(entry -> now.isBefore(entry.until()))
                .map(Cached::result);
    }

    private record Cached(TokenReviewResult result, Instant until) {}
}
