package io.sluice.ledger.core;

import io.sluice.ledger.core.state.AgentSession;
import io.sluice.ledger.core.state.Contact;
import io.sluice.ledger.core.state.KindArithmetic;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.messages.ledger.permit.NotReadyCause;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.RefusalCause;
import java.time.Duration;
import java.util.Optional;

/**
 * Opens sessions and checks the order of requests. One runner at a time may request for a VM: the one that opened a
 * session last.
 *
 * <p>Session numbers are above the version of the newest full list and do not start at 1. Otherwise a late {@code open}
 * that arrives after a loss of state would open session 1 again, and old requests of that session would count.
 */
final class Sessions {
    /** How long a client waits before it repeats a request that was not ready. */
    static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /** No agent comes near it by counting. A larger one would leave no numbers for the runners that follow. */
    private static final long LAST_SESSION_MAX = 1L << 62;

    private Sessions() {}

    static CommandOutcome<OpenReply> open(NodeState state, OpenSession request) {
        if (request.lastSession() > LAST_SESSION_MAX) {
            return CommandOutcome.of(state, new OpenReply.Refused(RefusalCause.OVERFLOW));
        }
        var notReady = state.notReady();
        if (notReady.isPresent()) {
            return CommandOutcome.of(state, new OpenReply.NotReady(notReady.get(), RETRY_AFTER));
        }
        var reservation = state.reservations().find(request.pod());
        if (reservation.isEmpty()) {
            return CommandOutcome.of(state, new OpenReply.Refused(RefusalCause.POD_UNKNOWN));
        }
        if (!reservation.get().pod().runsVm()) {
            return CommandOutcome.of(state, new OpenReply.Refused(RefusalCause.NOT_A_VM));
        }
        if (reservation.get().observations().vm().isEmpty()) {
            return CommandOutcome.of(state, new OpenReply.NotReady(NotReadyCause.NODE_INCOMPLETE, RETRY_AFTER));
        }
        return open(state, reservation.get(), request);
    }

    private static CommandOutcome<OpenReply> open(NodeState state, Reservation reservation, OpenSession request) {
        var agent = reservation.session();
        boolean current =
                agent.isOpen() && agent.runner().equals(request.runner()) && request.lastSession() <= agent.session();
        if (current) {
            return CommandOutcome.of(state, opened(reservation));
        }
        long known = Math.max(agent.session(), request.lastSession());
        long session = Math.addExact(Math.max(known, state.fullList().version()), 1);
        var spokenFor = reservation.with(agent.opened(session, request.runner()));
        return CommandOutcome.of(state.withSession(spokenFor), opened(spokenFor));
    }

    /** Opening a session grants nothing. An earlier agent may still have patches under way for all that is reserved. */
    private static OpenReply opened(Reservation reservation) {
        return new OpenReply.Opened(
                reservation.session().session(),
                reservation.amounts().reserved(),
                reservation.status().contact() == Contact.RECOVERED);
    }

    /** The reply to a request that is not the next one of the current session; empty when it is. */
    static Optional<PermitReply> stale(NodeState state, Reservation reservation, PermitRequest request) {
        var session = reservation.session();
        if (request.session() < session.session()) {
            return Optional.of(new PermitReply.Superseded(session.session(), session.runner()));
        }
        if (request.session() > session.session() || !session.isOpen()) {
            return Optional.of(new PermitReply.OpenAgain(session.session()));
        }
        if (!request.runner().isEmpty() && !request.runner().equals(session.runner())) {
            return Optional.of(new PermitReply.Superseded(session.session(), session.runner()));
        }
        if (request.seq() > session.seq()) {
            return Optional.empty();
        }
        if (request.seq() < session.seq()) {
            return Optional.of(
                    new PermitReply.Late(session.seq(), reservation.amounts().reported()));
        }
        return session.last()
                .map(taken -> taken.request().equals(request)
                        ? repeated(state, reservation, taken)
                        : new PermitReply.SeqReused(request.seq()));
    }

    /**
     * The stored reply, cut to the present reservation, and on an over-reserved node to what the VM certainly has. The
     * reply may not have arrived before, so it must not allow growth that would be denied now.
     */
    private static PermitReply repeated(NodeState state, Reservation reservation, AgentSession.Taken taken) {
        var answer = taken.answer();
        var reported = reservation.amounts().reported();
        var known = GrowthBaseline.known(reservation, taken.request());
        var most = KindArithmetic.each(kind -> (state.isOver(kind) ? reported.min(known) : reported).of(kind));
        return new PermitReply.Ruled(
                answer.session(),
                answer.seq(),
                answer.permit().min(most),
                answer.validFor(),
                reservation.migrates(),
                answer.cpu(),
                answer.memory());
    }
}
