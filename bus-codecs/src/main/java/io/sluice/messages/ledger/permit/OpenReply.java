package io.sluice.messages.ledger.permit;

import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Objects;

/** The ledger's reply to {@link OpenSession}. */
public sealed interface OpenReply {
    /**
     * The session is open; its requests are numbered from seq 1. It permits nothing yet.
     *
     * @param session carried by each request
     * @param reserved all that is reserved for the VM now, and so the most that an earlier agent's patches may bring
     * @param recovered whether the reservation is recovered, without a request of its agent since
     */
    record Opened(long session, Resources reserved, boolean recovered) implements OpenReply {
        public Opened {
            Objects.requireNonNull(reserved, "reserved");
        }
    }

    /**
     * The node's ledger state is not ready.
     *
     * @param cause why
     * @param retryAfter how long to wait before the next request
     */
    record NotReady(NotReadyCause cause, Duration retryAfter) implements OpenReply {
        public NotReady {
            Objects.requireNonNull(cause, "cause");
            Objects.requireNonNull(retryAfter, "retryAfter");
        }
    }

    /**
     * There is no such reservation, or no session can be opened for it.
     *
     * @param cause why
     */
    record Refused(RefusalCause cause) implements OpenReply {
        public Refused {
            Objects.requireNonNull(cause, "cause");
        }
    }
}
