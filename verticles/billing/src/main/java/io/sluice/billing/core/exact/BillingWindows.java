package io.sluice.billing.core.exact;

import java.time.Duration;
import java.time.Instant;

/**
 * Computes the ends of windows: whole multiples of their length since 1970, so that all processes cut at the same
 * instants.
 *
 * @param length the length of a window
 */
record BillingWindows(Duration length) {
    /** If more windows than this are over, the earliest of them become one. */
    static final int LATE_MOST = 150;

    private static final long SECOND = 1_000_000_000L;

    BillingWindows {
        if (!length.isPositive()) {
            throw new IllegalArgumentException("a window must have a length: " + length);
        }
    }

    /** Returns the last end that is not after an instant. */
    Instant endBefore(Instant at) {
        long ns = length.toNanos();
        long sinceEpoch = Math.addExact(Math.multiplyExact(at.getEpochSecond(), SECOND), at.getNano());
        return at.minusNanos(Math.floorMod(sinceEpoch, ns));
    }

    /** Returns the next end to close after {@code start}; it is after {@code until} if none is over. */
    Instant next(Instant start, Instant until) {
        var next = endBefore(start).plus(length);
        var late = endBefore(until).minus(length.multipliedBy(LATE_MOST - 1L));
        return UsageMeters.later(next, late);
    }
}
