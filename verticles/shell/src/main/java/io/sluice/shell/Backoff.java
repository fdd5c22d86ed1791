package io.sluice.shell;

import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The waits before repeated attempts. They double from the first to the longest, and the second half of each is random,
 * so that what failed together is not repeated together.
 *
 * @param first the whole wait after the first failure
 * @param longest the longest wait
 */
public record Backoff(Duration first, Duration longest) {
    private static final int DOUBLINGS_MAX = 20;

    public Backoff {
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(longest, "longest");
    }

    /** Returns the wait after that many failures in a row, at least one. */
    public Duration after(int failures, RandomGenerator random) {
        var doubled = first.multipliedBy(1L << Math.min(failures - 1, DOUBLINGS_MAX));
        var whole = doubled.compareTo(longest) < 0 ? doubled : longest;
        return Duration.ofNanos((long) (whole.toNanos() * (1 + random.nextDouble()) / 2));
    }

    /** Returns a count of failures with these waits. */
    public Failures failures(RandomGenerator random) {
        return new Failures(this, random);
    }

    /** Failures in a row. Not thread-safe. */
    public static final class Failures {
        private final Backoff backoff;
        private final RandomGenerator random;
        private int inARow;

        private Failures(Backoff backoff, RandomGenerator random) {
            this.backoff = backoff;
            this.random = random;
        }

        /** An attempt succeeded. */
        public void reset() {
            inARow = 0;
        }

        /** An attempt failed; returns the wait before the next, in milliseconds, at least one. */
        public long nextMs() {
            inARow++;
            return Math.max(1, backoff.after(inARow, random).toMillis());
        }
    }
}
