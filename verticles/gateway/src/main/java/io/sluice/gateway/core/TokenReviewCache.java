package io.sluice.gateway.core;

import io.sluice.shell.TokenReviewResult;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What was found out about tokens lately, by their hashes. A good one is believed for a minute and never beyond its
 * end, a bad one for some seconds; bad ones never push out good ones.
 */
public final class TokenReviewCache {
    static final Duration ACCEPTED_FOR = Duration.ofSeconds(60);
    static final Duration REJECTED_FOR = Duration.ofSeconds(5);
    private static final int EACH_MAX = 10_000;

    private final Map<String, Cached> accepted;
    private final Map<String, Cached> rejected;

    /** An empty book. */
    public TokenReviewCache() {
        this(EACH_MAX);
    }

    TokenReviewCache(int eachMax) {
        accepted = new Newest(eachMax);
        rejected = new Newest(eachMax);
    }

    /** What is still believed of the token with that hash. */
    public Optional<TokenReviewResult> find(String hash, Instant now) {
        return find(accepted, hash, now).or(() -> find(rejected, hash, now));
    }

    /**
     * Takes a verdict.
     *
     * @param asked when it was asked for
     */
    public void told(TokenMark token, TokenReviewResult verdict, Instant asked) {
        accepted.remove(token.hash());
        rejected.remove(token.hash());
        switch (verdict) {
            case TokenReviewResult.Accepted good -> {
                var usual = asked.plus(ACCEPTED_FOR);
                var until = token.ends().filter(usual::isAfter).orElse(usual);
                accepted.put(token.hash(), new Cached(good, until));
            }
            case TokenReviewResult.Rejected bad ->
                rejected.put(token.hash(), new Cached(bad, asked.plus(REJECTED_FOR)));
        }
    }

    /** How many tokens something is kept of. */
    public int size() {
        return accepted.size() + rejected.size();
    }

    private static Optional<TokenReviewResult> find(Map<String, Cached> entries, String hash, Instant now) {
        return Optional.ofNullable(entries.get(hash))
                .filter(entry -> now.isBefore(entry.until()))
                .map(Cached::verdict);
    }

    private record Cached(TokenReviewResult verdict, Instant until) {}

    /** The oldest goes first. */
    private static final class Newest extends LinkedHashMap<String, Cached> {
        private static final long serialVersionUID = 1;

        private final int sizeMax;

        Newest(int sizeMax) {
            this.sizeMax = sizeMax;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Cached> eldest) {
            return size() > sizeMax;
        }
    }
}
