package io.sluice.agent.core.status;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * How fresh some metrics of a VM are. They are stale from the first failed scrape on; the last good values count until
 * they are too old.
 *
 * @param cameAt when the last good ones arrived; empty before the first
 * @param trouble why the last scrape failed; empty if it succeeded, and before the first
 */
public record Freshness(Optional<Instant> cameAt, Optional<String> trouble) {
    public static final Freshness UNKNOWN = new Freshness(Optional.empty(), Optional.empty());

    public Freshness {
        Objects.requireNonNull(cameAt, "cameAt");
        Objects.requireNonNull(trouble, "trouble");
    }

    /**
     * The freshness of all metrics of a VM.
     *
     * @param system of its load and memory
     * @param fileCache of its file cache, where that counts
     */
    public record OfVm(Freshness system, Freshness fileCache) {
        public static final OfVm UNKNOWN = new OfVm(Freshness.UNKNOWN, Freshness.UNKNOWN);

        boolean stale() {
            return system.stale() || fileCache.stale();
        }

        String words(Instant now) {
            if (!fileCache.stale()) {
                return system.words("metrics", now);
            }
            var ofCache = fileCache.words("file cache's metrics", now);
            return system.stale() ? system.words("metrics", now) + "; " + ofCache : ofCache;
        }
    }

    public Freshness came(Instant now) {
        return new Freshness(Optional.of(now), Optional.empty());
    }

    public Freshness failed(String reason) {
        return new Freshness(cameAt, Optional.of(reason));
    }

    /** Whether the last scrape failed. */
    public boolean stale() {
        return trouble.isPresent();
    }

    private String words(String what, Instant now) {
        var age = cameAt.map(at -> "are " + ScalingStatusText.seconds(Duration.between(at, now)) + " old")
                .orElse("have never arrived");
        return "its " + what + " " + age + ": " + trouble.orElse("");
    }
}
