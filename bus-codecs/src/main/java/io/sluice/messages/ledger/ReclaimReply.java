package io.sluice.messages.ledger;

import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Objects;

/** The ledger's reply to {@link Reclaim}. */
public sealed interface ReclaimReply {
    /**
     * The reservation was lowered to this and is reclaimed.
     *
     * @param reserved the reservation
     */
    record Settled(Resources reserved) implements ReclaimReply {
        public Settled {
            Objects.requireNonNull(reserved, "reserved");
        }
    }

    /** The reservation cannot be reclaimed, or was already; nothing changed. */
    record NotRecovered() implements ReclaimReply {}

    /**
     * Permits granted before may still be used.
     *
     * @param retryAfter how long that lasts
     */
    record TooEarly(Duration retryAfter) implements ReclaimReply {
        public TooEarly {
            Objects.requireNonNull(retryAfter, "retryAfter");
        }
    }
}
