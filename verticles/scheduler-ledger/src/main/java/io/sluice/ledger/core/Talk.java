package io.sluice.ledger.core;

import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Who speaks for a member and what was said last.
 *
 * @param session the current session, or the last one; 0 before the first
 * @param runner who opened it; empty where none is open
 * @param last the last question taken in it and its answer
 * @param load1 the 1-minute load that came with the last question; empty for a member that is moving
 * @param askedAt when the last question was taken, in whatever session
 * @param overclaimed whether a claim beyond the books was told of in this session
 */
public record Talk(
        long session,
        String runner,
        Optional<Taken> last,
        Optional<Float> load1,
        Optional<Instant> askedAt,
        boolean overclaimed) {
    /** Nobody has spoken yet. */
    static final Talk NONE = new Talk(0, "", Optional.empty(), Optional.empty(), Optional.empty(), false);

    /**
     * A question and what was answered.
     *
     * @param question as it was asked
     * @param answer as it was ruled
     */
    public record Taken(PermitRequest question, PermitReply.Ruled answer) {
        public Taken {
            Objects.requireNonNull(question, "question");
            Objects.requireNonNull(answer, "answer");
        }
    }

    public Talk {
        Objects.requireNonNull(runner, "runner");
        Objects.requireNonNull(last, "last");
        Objects.requireNonNull(load1, "load1");
        Objects.requireNonNull(askedAt, "askedAt");
    }

    /** The last question taken in the current session; 0 if none. */
    public long seq() {
        return last.map(taken -> taken.question().seq()).orElse(0L);
    }

    Talk opened(long newSession, String newRunner) {
        return new Talk(newSession, newRunner, Optional.empty(), load1, askedAt, false);
    }

    /** Nobody speaks for the member until somebody opens a session of a higher number. */
    Talk ended() {
        return new Talk(session, "", Optional.empty(), load1, askedAt, false);
    }

    /** Whether a session is open. */
    boolean isOpen() {
        return !runner.isEmpty();
    }

    Talk took(Taken taken, boolean keepLoad, Instant now) {
        var load = keepLoad ? taken.question().load1() : Optional.<Float>empty();
        return new Talk(session, runner, Optional.of(taken), load, Optional.of(now), overclaimed);
    }

    Talk withoutLoad() {
        return new Talk(session, runner, last, Optional.empty(), askedAt, overclaimed);
    }

    Talk toldOfOverclaim() {
        return new Talk(session, runner, last, load1, askedAt, true);
    }
}
