package io.sluice.messages.ledger;

import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Objects;

/** The ledger's answer to {@link PermitRequest}. A refusal is an answer, never an exception. */
public sealed interface PermitReply {
    /**
     * The books now hold {@code permit} for the VM.
     *
     * @param session of the question
     * @param seq of the question
     * @param permit what the VM may use, per kind between what it held and what it asked
     * @param validFor how long after the question was sent growth on this permit may start
     * @param migrating whether the VM is about to move: nothing more is granted here
     * @param cpu how the CPU was ruled
     * @param memory how the memory was ruled
     */
    record Ruled(
            long session,
            long seq,
            Resources permit,
            Duration validFor,
            boolean migrating,
            KindDecision cpu,
            KindDecision memory)
            implements PermitReply {
        public Ruled {
            Objects.requireNonNull(permit, "permit");
            Objects.requireNonNull(validFor, "validFor");
            Objects.requireNonNull(cpu, "cpu");
            Objects.requireNonNull(memory, "memory");
        }
    }

    /**
     * The question was older than one already taken in this session; nothing changed.
     *
     * @param newestSeq the last question taken
     * @param permit what is booked now
     */
    record Late(long newestSeq, Resources permit) implements PermitReply {
        public Late {
            Objects.requireNonNull(permit, "permit");
        }
    }

    /**
     * Somebody else speaks for the member now: this runner stops.
     *
     * @param current the session that is current
     * @param runner whose session that is; empty where it is not known
     */
    record Superseded(long current, String runner) implements PermitReply {
        public Superseded {
            Objects.requireNonNull(runner, "runner");
        }
    }

    /**
     * The session is newer than any the books know: they were lost, and a new session is needed.
     *
     * @param current the newest session that the books know; 0 if none
     */
    record OpenAgain(long current) implements PermitReply {}

    /**
     * The seq was taken before with other content: a programming error of the asker.
     *
     * @param seq the one used twice
     */
    record SeqReused(long seq) implements PermitReply {}

    /**
     * Nothing can be said of this node yet.
     *
     * @param cause why
     * @param retryAfter how long to wait before asking again
     */
    record NotReady(NotReadyCause cause, Duration retryAfter) implements PermitReply {
        public NotReady {
            Objects.requireNonNull(cause, "cause");
            Objects.requireNonNull(retryAfter, "retryAfter");
        }
    }

    /**
     * The question cannot be answered; nothing changed.
     *
     * @param cause why
     */
    record Refused(RefusalCause cause) implements PermitReply {
        public Refused {
            Objects.requireNonNull(cause, "cause");
        }
    }
}
