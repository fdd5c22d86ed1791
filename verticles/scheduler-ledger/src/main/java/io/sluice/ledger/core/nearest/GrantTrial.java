package io.sluice.ledger.core.nearest;

import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.state.AgentSession;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;

/**
 * Runs a request on copies of a node ledger's state, with the command that decides on it. It stands at the instant of
 * the state: what has not expired in the state has not expired.
 */
final class GrantTrial {
    /** No runner has this id, so a session that a copy opens under it supersedes every other one. */
    private static final String RUNNER = "nearest-grant";

    private final NodeLedger ledger;
    private final GrantQuery query;
    private final Instant now;

    /**
     * A trial of a request.
     *
     * @param state the state that copies are made of
     */
    GrantTrial(NodeState state, LedgerRules rules, GrantQuery query) {
        this.ledger = new NodeLedger(new LedgerRules(
                rules.permitValidFor(),
                rules.watermark(),
                rules.systemReserve(),
                rules.trustLastPermit(),
                rules.notReadyGrace(),
                InvariantChecks.NONE));
        this.query = query;
        this.now = state.size()
                .notReady()
                .map(it -> it.growthStopped() ? it.since().plus(rules.notReadyGrace()) : it.since())
                .orElse(Instant.EPOCH);
    }

    /** What runs commands on copies, without checks of its own. */
    NodeLedger ledger() {
        return ledger;
    }

    /** Whether the request is granted, all of it, on this state. */
    boolean grants(NodeState state) {
        return switch (query) {
            case GrantQuery.OfPermit permit -> permits(state, permit);
            case GrantQuery.OfHold hold -> holds(state, hold);
        };
    }

    private boolean permits(NodeState state, GrantQuery.OfPermit permit) {
        var found = state.reservations().find(permit.pod());
        if (found.isEmpty() || state.notReady().isPresent()) {
            return false;
        }
        var session = found.get().session();
        if (session.isOpen()) {
            return permits(state, request(found.get(), session, target(found.get(), permit)));
        }
        var open = new LedgerCommand.Open(new OpenSession(state.node(), permit.pod(), RUNNER, session.session()));
        var opened = ledger.apply(state, open, now, 0);
        return opened.reply() instanceof OpenReply.Opened
                && opened.state()
                        .reservations()
                        .find(permit.pod())
                        .filter(own ->
                                permits(opened.state(), request(own, own.session(), target(found.get(), permit))))
                        .isPresent();
    }

    private boolean permits(NodeState state, PermitRequest request) {
        var reply = ledger.apply(state, new LedgerCommand.RequestPermit(request), now, 0)
                .reply();
        return reply instanceof PermitReply.Ruled ruled && ruled.permit().equals(request.target());
    }

    /** The size that a permit is requested for. */
    static Resources target(Reservation reservation, GrantQuery.OfPermit permit) {
        return permit.target().equals(Resources.NONE) ? reservation.amounts().requested() : permit.target();
    }

    /** The compute unit of its requests. */
    static Resources unit(Reservation reservation) {
        return reservation
                .session()
                .last()
                .map(taken -> taken.request().computeUnit())
                .orElse(reservation.limits().unit());
    }

    /** The request that the agent would send next. */
    private PermitRequest request(Reservation reservation, AgentSession session, Resources target) {
        var last = session.last();
        return new PermitRequest(
                query.node(),
                reservation.id(),
                session.runner(),
                session.session(),
                session.seq() + 1,
                unit(reservation),
                target,
                last.map(taken -> taken.answer().permit()),
                Optional.empty(),
                last.flatMap(taken -> taken.request().use()));
    }

    private boolean holds(NodeState state, GrantQuery.OfHold hold) {
        var outcome = ledger.apply(state, new LedgerCommand.Hold(hold.hold()), now, 0);
        return switch (outcome.reply()) {
            case HoldReply.Bound _ -> true;
            case HoldReply.Held _ ->
                !hold.belowWatermark() || !grows(state, outcome.state()) || isBelowWatermark(outcome.state());
            case HoldReply _ -> false;
        };
    }

    /** A repeat of a hold needs nothing more. */
    private static boolean grows(NodeState before, NodeState after) {
        return after.reservations().size() > before.reservations().size()
                || after.sums().reserved().exceeds(before.sums().reserved());
    }

    private static boolean isBelowWatermark(NodeState state) {
        var reserved = state.sums().reserved();
        var watermark = state.size().watermark();
        return reserved.milliCpu() < watermark.milliCpu() && reserved.memoryBytes() < watermark.memoryBytes();
    }
}
