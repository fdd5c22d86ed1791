package io.sluice.messages.ledger;

import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Objects;

/** The ledger's answer to {@link Reclaim}. */
public sealed interface ReclaimReply {
    /**
     * The member is booked at this now and waits for nothing any more.
     *
     * @param reserved what is booked
     */
    record Settled(Resources reserved) implements ReclaimReply {
        public Settled {
            Objects.requireNonNull(reserved, "reserved");
        }
    }

    /** The member has nothing to settle, or not any more; nothing changed. */
    record NotRecovered() implements ReclaimReply {}

    /**
     * Permits given before may still be used.
     *
     * @param retryAfter how long that lasts
     */
    record TooEarly(Duration retryAfter) implements ReclaimReply {
        public TooEarly {
            Objects.requireNonNull(retryAfter, "retryAfter");
        }
    }
}
