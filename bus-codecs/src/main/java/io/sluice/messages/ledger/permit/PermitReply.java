package io.sluice.messages.ledger.permit;

import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Objects;

/** The ledger's reply to {@link PermitRequest}. A refusal is a reply, never an exception. */
public sealed interface PermitReply {
    /** Which reply it is, as a word for traces. */
    default String word() {
        return switch (this) {
            case Ruled ruled -> ruled.isShort() ? "cut" : "granted";
            case Late _ -> "late";
            case Superseded _ -> "superseded";
            case OpenAgain _ -> "open_again";
            case SeqReused _ -> "seq_reused";
            case NotReady _ -> "not_ready";
            case Refused _ -> "refused";
        };
    }

    /**
     * The ledger has now reserved {@code permit} for the VM.
     *
     * @param session of the request
     * @param seq of the request
     * @param permit what the VM may use, per kind between the reservation before and the request
     * @param validFor how long after the request was sent growth on this permit may start
     * @param migrating whether the VM is about to migrate: nothing more is granted here
     * @param cpu the decision on the CPU
     * @param memory the decision on the memory
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

        /** Whether less is granted than was requested. */
        public boolean isShort() {
            return cpu.shortBy() > 0 || memory.shortBy() > 0;
        }
    }

    /**
     * The request was older than one already taken in this session; nothing changed.
     *
     * @param newestSeq the last request taken
     * @param permit what is reserved now
     */
    record Late(long newestSeq, Resources permit) implements PermitReply {
        public Late {
            Objects.requireNonNull(permit, "permit");
        }
    }

    /**
     * Another runner has the session now: this runner stops.
     *
     * @param current the current session
     * @param runner the id of its runner; empty where it is not known
     */
    record Superseded(long current, String runner) implements PermitReply {
        public Superseded {
            Objects.requireNonNull(runner, "runner");
        }
    }

    /**
     * The session is newer than any that the ledger has: the ledger's state was lost, and a new session is needed.
     *
     * @param current the newest session that the ledger has; 0 if none
     */
    record OpenAgain(long current) implements PermitReply {}

    /**
     * The seq was taken before with another content: a programming error of the requester.
     *
     * @param seq the number that was used twice
     */
    record SeqReused(long seq) implements PermitReply {}

    /**
     * The node's ledger state is not ready.
     *
     * @param cause why
     * @param retryAfter how long to wait before the next request
     */
    record NotReady(NotReadyCause cause, Duration retryAfter) implements PermitReply {
        public NotReady {
            Objects.requireNonNull(cause, "cause");
            Objects.requireNonNull(retryAfter, "retryAfter");
        }
    }

    /**
     * The request is refused; nothing changed.
     *
     * @param cause why
     */
    record Refused(RefusalCause cause) implements PermitReply {
        public Refused {
            Objects.requireNonNull(cause, "cause");
        }
    }
}
