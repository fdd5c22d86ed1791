package io.sluice.billing.outbox;

import java.time.Duration;
import java.util.Objects;

/**
 * How much may wait in a lane, and for how long.
 *
 * @param maxBytes what is stored of events and batches, at most; one offer is always taken where nothing waits
 * @param maxAge how old the oldest batch may become
 * @param overflow what happens beyond that
 */
public record QueueLimit(long maxBytes, Duration maxAge, Overflow overflow) {
    public QueueLimit {
        Objects.requireNonNull(maxAge, "maxAge");
        Objects.requireNonNull(overflow, "overflow");
        if (maxBytes < 1) {
            throw new IllegalArgumentException("maxBytes must be positive: " + maxBytes);
        }
        if (!maxAge.isPositive()) {
            throw new IllegalArgumentException("maxAge must be positive: " + maxAge);
        }
    }

    /** What happens to an offer for which there is no room. */
    public enum Overflow {
        /** It is not taken, and comes again. */
        BLOCK,
        /** The oldest batches make room for it. */
        DROP_OLDEST
    }
}
