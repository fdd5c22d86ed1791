package io.sluice.ledger.core.state;

import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * The session of the agent that requests permits for a VM, and its last request.
 *
 * @param session the number of the current or last session; 0 before the first
 * @param runner the runner that opened it; empty where none is open
 * @param last the last accepted request of the session and its reply
 * @param load1 the 1-minute load average from the last request; empty while the VM migrates
 * @param requestedAt when the last request of any session was accepted
 * @param overclaimed whether the notice about a last permit above the reservation was already sent in this session
 * @param keptSince when a request first left more reserved than was permitted, because lost state may have permitted
 *     it; empty where none did
 * @param grownAt the version of the VM's newest observation when its permit last grew; empty before
 */
public record AgentSession(
        long session,
        String runner,
        Optional<Taken> last,
        Optional<Float> load1,
        Optional<Instant> requestedAt,
        boolean overclaimed,
        Optional<Instant> keptSince,
        Optional<Long> grownAt) {
    /** No session was opened yet. */
    public static final AgentSession NONE = new AgentSession(
            0, "", Optional.empty(), Optional.empty(), Optional.empty(), false, Optional.empty(), Optional.empty());

    /**
     * A permit request and its reply.
     *
     * @param request as it was received
     * @param answer as it was decided
     */
    public record Taken(PermitRequest request, PermitReply.Ruled answer) {
        public Taken {
            Objects.requireNonNull(request, "request");
            Objects.requireNonNull(answer, "answer");
        }
    }

    public AgentSession {
        Objects.requireNonNull(runner, "runner");
        Objects.requireNonNull(last, "last");
        Objects.requireNonNull(load1, "load1");
        Objects.requireNonNull(requestedAt, "requestedAt");
        Objects.requireNonNull(keptSince, "keptSince");
        Objects.requireNonNull(grownAt, "grownAt");
    }

    /** The sequence number of the last accepted request of the current session; 0 if none. */
    public long seq() {
        return last.map(taken -> taken.request().seq()).orElse(0L);
    }

    public AgentSession opened(long newSession, String newRunner) {
        return new AgentSession(newSession, newRunner, Optional.empty(), load1, requestedAt, false, keptSince, grownAt);
    }

    /** Ends the session: requests are refused until a session with a higher number is opened. */
    public AgentSession ended() {
        return new AgentSession(session, "", Optional.empty(), load1, requestedAt, false, keptSince, grownAt);
    }

    /** Whether a session is open. */
    public boolean isOpen() {
        return !runner.isEmpty();
    }

    public AgentSession took(Taken taken, boolean keepLoad, Instant now) {
        var load = keepLoad ? taken.request().load1() : Optional.<Float>empty();
        return new AgentSession(
                session, runner, Optional.of(taken), load, Optional.of(now), overclaimed, keptSince, grownAt);
    }

    public AgentSession withoutLoad() {
        return new AgentSession(session, runner, last, Optional.empty(), requestedAt, overclaimed, keptSince, grownAt);
    }

    public AgentSession withOverclaimReported() {
        return new AgentSession(session, runner, last, load1, requestedAt, true, keptSince, grownAt);
    }

    /** Records whether more than was permitted stays reserved. The time counts from the first such request. */
    public AgentSession keeping(boolean keeps, Instant now) {
        var since = keeps ? keptSince.or(() -> Optional.of(now)) : Optional.<Instant>empty();
        return new AgentSession(session, runner, last, load1, requestedAt, overclaimed, since, grownAt);
    }

    /** Records that the permit grew, with the version of the VM's newest observation. */
    public AgentSession grown(Observations observed) {
        var version = observed.vm().map(Observations.Kind::version);
        return new AgentSession(session, runner, last, load1, requestedAt, overclaimed, keptSince, version);
    }

    /** Whether the VM was observed again since its permit last grew. */
    public boolean observedSinceGrowth(Observations observed) {
        return grownAt.isEmpty() || !grownAt.equals(observed.vm().map(Observations.Kind::version));
    }

    /** The last permit that the agent named; {@link Resources#NONE} if it named none. */
    public Resources lastPermit() {
        return last.flatMap(taken -> taken.request().lastPermit()).orElse(Resources.NONE);
    }

    /** The last request, if the agent is of the reference's kind: a gateway opened its session. */
    public Optional<Taken> ofReferenceAgent() {
        return last.filter(taken -> OpenSession.byGateway(runner));
    }

    /** Whether the agent reports no exposure, so that only observations show what its VM uses. */
    public boolean isBlind() {
        return last.filter(taken -> taken.request().use().isEmpty()).isPresent();
    }
}
