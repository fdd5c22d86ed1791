package io.sluice.ledger.core;

import io.sluice.messages.ledger.OpenSession;
import io.sluice.messages.ledger.PermitReply;
import io.sluice.messages.ledger.PermitRequest;
import io.sluice.units.Resources;
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
 * @param keptSince when a request first left more reserved than it was permitted, as lost state may have permitted it;
 *     empty where none did
 * @param grownAt the version of the newest observation of its VM when it was last permitted more; empty before
 */
public record AgentSession(
        long session,
        String runner,
        Optional<Taken> last,
        Optional<Float> load1,
        Optional<Instant> askedAt,
        boolean overclaimed,
        Optional<Instant> keptSince,
        Optional<Long> grownAt) {
    /** Nobody has spoken yet. */
    static final AgentSession NONE = new AgentSession(
            0, "", Optional.empty(), Optional.empty(), Optional.empty(), false, Optional.empty(), Optional.empty());

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

    public AgentSession {
        Objects.requireNonNull(runner, "runner");
        Objects.requireNonNull(last, "last");
        Objects.requireNonNull(load1, "load1");
        Objects.requireNonNull(askedAt, "askedAt");
        Objects.requireNonNull(keptSince, "keptSince");
        Objects.requireNonNull(grownAt, "grownAt");
    }

    /** The last question taken in the current session; 0 if none. */
    public long seq() {
        return last.map(taken -> taken.question().seq()).orElse(0L);
    }

    AgentSession opened(long newSession, String newRunner) {
        return new AgentSession(newSession, newRunner, Optional.empty(), load1, askedAt, false, keptSince, grownAt);
    }

    /** Nobody speaks for the member until somebody opens a session of a higher number. */
    AgentSession ended() {
        return new AgentSession(session, "", Optional.empty(), load1, askedAt, false, keptSince, grownAt);
    }

    /** Whether a session is open. */
    boolean isOpen() {
        return !runner.isEmpty();
    }

    AgentSession took(Taken taken, boolean keepLoad, Instant now) {
        var load = keepLoad ? taken.question().load1() : Optional.<Float>empty();
        return new AgentSession(
                session, runner, Optional.of(taken), load, Optional.of(now), overclaimed, keptSince, grownAt);
    }

    AgentSession withoutLoad() {
        return new AgentSession(session, runner, last, Optional.empty(), askedAt, overclaimed, keptSince, grownAt);
    }

    AgentSession toldOfOverclaim() {
        return new AgentSession(session, runner, last, load1, askedAt, true, keptSince, grownAt);
    }

    /** Whether more than was permitted is kept from now on; how long counts from the first time on. */
    AgentSession keeping(boolean keeps, Instant now) {
        var since = keeps ? keptSince.or(() -> Optional.of(now)) : Optional.<Instant>empty();
        return new AgentSession(session, runner, last, load1, askedAt, overclaimed, since, grownAt);
    }

    /** More was permitted, and this is what was observed of the VM by then. */
    AgentSession grown(Observations seen) {
        var version = seen.vm().map(Observations.Kind::version);
        return new AgentSession(session, runner, last, load1, askedAt, overclaimed, keptSince, version);
    }

    /** Whether the VM was observed anew since it was last permitted more. */
    boolean observedSinceGrowth(Observations seen) {
        return grownAt.isEmpty() || !grownAt.equals(seen.vm().map(Observations.Kind::version));
    }

    /** The last permit that its agent named; nothing if it named none. */
    Resources lastPermit() {
        return last.flatMap(taken -> taken.question().lastPermit()).orElse(Resources.NONE);
    }

    /** The last request, where its agent is of the reference's kind: a gateway opened the session in its name. */
    Optional<Taken> ofReferenceAgent() {
        return last.filter(taken -> OpenSession.byGateway(runner));
    }

    /** Whether its agent reports no exposure, so that observations alone show what its VM still uses. */
    boolean isBlind() {
        return last.filter(taken -> taken.question().use().isEmpty()).isPresent();
    }
}
