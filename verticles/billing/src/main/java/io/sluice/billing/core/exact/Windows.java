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
record Windows(Duration length) {
    /** As many as are closed at once; of more, the first is longer. */
    private static final int MOST = 8;

    private static final long SECOND = 1_000_000_000L;

    Windows {
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

    /**
     * All ends after the one given, and not after an instant, the earliest first; none that is before {@code least}.
     */
    List<Instant> ends(Instant after, Instant least, Instant until) {
        var last = endBefore(until);
        var ends = new ArrayList<Instant>();
        for (var end = last; end.isAfter(after) && !end.isBefore(least) && ends.size() < MOST; ) {
            ends.addFirst(end);
            end = end.minus(length);
        }
        return ends;
    }
}
