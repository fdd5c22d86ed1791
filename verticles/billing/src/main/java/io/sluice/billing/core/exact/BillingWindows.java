package io.sluice.billing.core.exact;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Where windows end: at whole multiples of their length since 1970, so that all who bill cut at the same instants.
 *
 * @param length of one
 */
record BillingWindows(Duration length) {
    /** As many may be closed at once in any case. */
    private static final int AT_ONCE = 8;

    /** And as many at most, however few meters there are. */
    private static final int MOST = 512;

    private static final long SECOND = 1_000_000_000L;

    BillingWindows {
        if (!length.isPositive()) {
            throw new IllegalArgumentException("a window must have a length: " + length);
        }
    }

    /** The last end that is not after an instant. */
    Instant endBefore(Instant at) {
        long ns = length.toNanos();
        long sinceEpoch = Math.addExact(Math.multiplyExact(at.getEpochSecond(), SECOND), at.getNano());
        return at.minusNanos(Math.floorMod(sinceEpoch, ns));
    }

    /** The first end that is not before an instant. */
    Instant endAfter(Instant at) {
        var end = endBefore(at);
        return end.equals(at) ? at : end.plus(length);
    }

    /**
     * All ends after the one given, and not after an instant, the earliest first, and none that is before
     * {@code least}; where they are more than are wanted, and than a few, the last ones: the first window is longer
     * then.
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
