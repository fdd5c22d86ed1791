package io.sluice.messages.ledger;

import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Objects;

/** The ledger's answer to {@link OpenSession}. */
public sealed interface OpenReply {
    /**
     * The runner speaks for the member from now on; questions of the session count from seq 1.
     *
     * @param session carried by each question
     * @param permit what is booked for the member now
     * @param recovered whether the books were loaded and have not heard from an agent yet
     */
    record Opened(long session, Resources permit, boolean recovered) implements OpenReply {
        public Opened {
            Objects.requireNonNull(permit, "permit");
        }
    }

    /**
     * Nothing can be said of this node yet.
     *
     * @param cause why
     * @param retryAfter how long to wait before asking again
     */
    record NotReady(NotReadyCause cause, Duration retryAfter) implements OpenReply {
        public NotReady {
            Objects.requireNonNull(cause, "cause");
            Objects.requireNonNull(retryAfter, "retryAfter");
        }
    }

    /**
     * There is no such member, or it is none that can ask.
     *
     * @param cause why
     */
    record Refused(RefusalCause cause) implements OpenReply {
        public Refused {
            Objects.requireNonNull(cause, "cause");
        }
    }
}
