package io.sluice.ledger.core;

import io.sluice.messages.ledger.NotReadyCause;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Objects;

/** The ledger's answer to whoever places a member. */
public sealed interface HoldReply {
    /**
     * The room is the member's until then.
     *
     * @param until when the hold frees itself
     */
    record Held(Instant until) implements HoldReply {
        public Held {
            Objects.requireNonNull(until, "until");
        }
    }

    /** The member is bound to the node and counts there. */
    record Bound() implements HoldReply {}

    /** Nothing is held for the member any more. */
    record Released() implements HoldReply {}

    /** There is no such hold: it was never made, was released, or ran out. Nothing changed. */
    record NoSuchHold() implements HoldReply {}

    /**
     * The node has not that much room; nothing changed.
     *
     * @param shortBy by how much the node would be above its total, in each kind
     */
    record NoRoom(Resources shortBy) implements HoldReply {
        public NoRoom {
            Objects.requireNonNull(shortBy, "shortBy");
        }
    }

    /**
     * Nothing can be said of the node yet; nothing changed.
     *
     * @param cause why
     */
    record NotReady(NotReadyCause cause) implements HoldReply {
        public NotReady {
            Objects.requireNonNull(cause, "cause");
        }
    }

    /** The pod is gone for good; nothing changed. */
    record Gone() implements HoldReply {}

    /** The sums are beyond 64 bits; nothing changed. */
    record Overflow() implements HoldReply {}
}
