package io.sluice.messages.ledger;

import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Objects;

/** The ledger's answer to {@link Settle}. */
public sealed interface SettleReply {
    /**
     * The member is booked at this now and waits for nothing any more.
     *
     * @param reserved what is booked
     */
    record Settled(Resources reserved) implements SettleReply {
        public Settled {
            Objects.requireNonNull(reserved, "reserved");
        }
    }

    /** The member has nothing to settle, or not any more; nothing changed. */
    record NotRecovered() implements SettleReply {}

    /**
     * Permits given before may still be used.
     *
     * @param retryAfter how long that lasts
     */
    record TooEarly(Duration retryAfter) implements SettleReply {
        public TooEarly {
            Objects.requireNonNull(retryAfter, "retryAfter");
        }
    }
}
