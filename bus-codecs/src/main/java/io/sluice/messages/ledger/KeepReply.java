package io.sluice.messages.ledger;

import io.sluice.messages.ledger.permit.NotReadyCause;
import java.time.Duration;
import java.util.Objects;

/** The ledger's reply to {@link KeepRoom}. */
public sealed interface KeepReply {
    /**
     * The room is kept.
     *
     * @param remaining how long from now
     */
    record Kept(Duration remaining) implements KeepReply {
        public Kept {
            Objects.requireNonNull(remaining, "remaining");
        }
    }

    /** Nothing is kept for the pod: that was requested, it has room there already, or it has ended. */
    record Ended() implements KeepReply {}

    /**
     * Room is kept there for another pod of the same or a higher priority; nothing changed.
     *
     * @param pod which, as {@code namespace/name}
     */
    record OfAnother(String pod) implements KeepReply {
        public OfAnother {
            Objects.requireNonNull(pod, "pod");
        }
    }

    /** The node could not take the pod if it were empty; nothing changed. */
    record TooLarge() implements KeepReply {}

    /**
     * The node's ledger state is not ready; nothing changed.
     *
     * @param cause why
     */
    record NotReady(NotReadyCause cause) implements KeepReply {
        public NotReady {
            Objects.requireNonNull(cause, "cause");
        }
    }
}
