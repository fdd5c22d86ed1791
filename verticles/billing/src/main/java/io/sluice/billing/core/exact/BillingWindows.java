package io.sluice.billing.core.exact;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Computes the ends of windows: whole multiples of their length since 1970, so that all processes cut at the same
 * instants.
 *
 * @param length the length of a window
 */
record BillingWindows(Duration length) {
    /** At least this many windows may be closed at once. */
    private static final int AT_ONCE = 8;

    /** At most this many windows are closed at once, however few usage meters there are. */
    private static final int MOST = 512;

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

    /** Returns the first end that is not before an instant. */
    Instant endAfter(Instant at) {
        var end = endBefore(at);
        return end.equals(at) ? at : end.plus(length);
    }

    /**
     * Returns the ends in {@code (after, until]} that are not before {@code least}, earliest first. If they are more
     * than {@code wanted} (at least 8, at most 512), it returns the last ones, and the first window is longer.
     */
    List<Instant> ends(Instant after, Instant least, Instant until, int wanted) {
        int most = Math.clamp(wanted, AT_ONCE, MOST);
        var ends = new ArrayList<Instant>();
        for (var end = endBefore(until); end.isAfter(after) && !end.isBefore(least) && ends.size() < most; ) {
            ends.addFirst(end);
            end = end.minus(length);
        }
        return ends;
    }
}
