package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.HashMap;
import java.util.Map;

/**
 * Only the runner of the newest session, with its newest request, changes anything. An older request changes nothing. A
 * repeated one gets the same reply, lowered to what is reserved now. The invariant records sessions and requests on its
 * own.
 */
public final class NewestSessionAlone implements StepInvariant {
    private final Map<String, Session> sessions = new HashMap<>();

    private static final class Session {
        private long session;
        private String runner = "";
        private PermitRequest request;
        private PermitReply.Ruled answer;
    }

    @Override
    public String name() {
        return "newest session alone";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        if (step.command() instanceof LedgerCommand.Open(var request)
                && step.reply() instanceof OpenReply.Opened(var session, var _, var _)) {
            var newest = sessionOf(step, request.pod());
            if (session < newest.session || session == newest.session && !newest.runner.equals(request.runner())) {
                throw broken("session " + session + " was opened after " + newest.session + " of " + newest.runner
                        + ": " + reported(step));
            }
            if (session > newest.session) {
                newest.session = session;
                newest.runner = request.runner();
                newest.request = null;
            }
        } else if (step.command() instanceof LedgerCommand.RequestPermit(var request, var _)) {
            requested(step, request);
        }
    }

    /** The recorded session of a reservation; a new one if the reservation was lost and loaded since. */
    private Session sessionOf(Happening.Commanded step, String id) {
        var session = sessions.computeIfAbsent(id, fresh -> new Session());
        long known = step.before()
                .reservations()
                .find(id)
                .map(reservation -> reservation.session().session())
                .orElse(0L);
        if (known == 0) {
            session = new Session();
            sessions.put(id, session);
        }
        return session;
    }

    private void requested(Happening.Commanded step, PermitRequest request) {
        var session = sessionOf(step, request.pod());
        boolean ruled = step.reply() instanceof PermitReply.Ruled;
        boolean old = request.session() != session.session
                || !request.runner().equals(session.runner)
                || session.request != null && request.seq() < session.request.seq();
        if (old && (ruled || step.before() != step.after())) {
            throw broken("an older request was accepted, of " + request.runner() + " in " + request.session() + "/"
                    + request.seq() + " where " + session.runner + " has the newest session " + session.session + ": "
                    + reported(step));
        }
        boolean again = !old && session.request != null && request.seq() == session.request.seq();
        if (again && (step.before() != step.after() || !answeredAgain(step, request, session))) {
            throw broken("a repeated request did not get the earlier reply " + session.answer + ": " + reported(step));
        }
        if (!old && !again && step.reply() instanceof PermitReply.Ruled answer) {
            session.request = request;
            session.answer = answer;
        }
    }

    /**
     * Whether the reply is the earlier one, except for what is not reserved any more or what the node has no room for
     * any more.
     */
    private static boolean answeredAgain(Happening.Commanded step, PermitRequest request, Session session) {
        var reserved = step.after().reservations().find(request.pod());
        return !request.equals(session.request)
                || reserved.isEmpty()
                || !reserved.get().observations().vm().isPresent()
                || step.reply() instanceof PermitReply.Ruled ruled
                        && isAsBefore(
                                step,
                                ruled,
                                session.answer
                                        .permit()
                                        .min(reserved.get().amounts().reported()));
    }

    private static boolean isAsBefore(Happening.Commanded step, PermitReply.Ruled ruled, Resources before) {
        var reserved = step.after().sums().reserved();
        var total = step.after().size().total();
        for (var kind : ResourceKind.values()) {
            boolean over = reserved.of(kind) > total.of(kind);
            long permit = ruled.permit().of(kind);
            if (over ? permit > before.of(kind) : permit != before.of(kind)) {
                return false;
            }
        }
        return true;
    }
}
