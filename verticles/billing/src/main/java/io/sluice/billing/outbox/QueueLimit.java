package io.sluice.billing.outbox;

import java.time.Duration;
import java.util.Objects;

/**
 * How much may wait in a queue, and for how long.
 *
 * @param maxBytes limit of the stored bytes of events and batches; an empty queue accepts any write
 * @param maxAge greatest age of the oldest batch
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

    /** What happens to a write for which there is no room. */
    public enum Overflow {
        /** The write is refused, and repeated later. */
        BLOCK,
        /** The oldest batches are dropped to make room. */
        DROP_OLDEST
    }
}
