package io.sluice.ledger.core;

import io.sluice.ledger.core.state.KindArithmetic;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Observations;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.units.Resources;

/**
 * The amounts that the decision on a permit request starts from.
 *
 * <p>A buffer is reserved because a VM may be using it. On an over-reserved node the VM must not grow into its buffer,
 * because the same room is reserved for others. A request does not free the buffer either: it does not show what
 * patches in progress may still do.
 *
 * @param granted the amounts that count as granted already; growth above them takes room of the node
 * @param kept what stays reserved whatever is permitted, because the VM may come to use it
 * @param waits whether part of that stays reserved until the agent requests less, because lost state may have permitted
 *     it
 */
record GrowthBaseline(Resources granted, Resources kept, boolean waits) {
    static GrowthBaseline of(
            NodeState state, Reservation reservation, PermitRequest request, boolean moving, LedgerRules rules) {
        var reserved = reservation.amounts().reserved();
        if (rules.trustLastPermit() == LastPermitTrust.ALWAYS) {
            return new GrowthBaseline(reserved, Resources.NONE, false);
        }
        var known = known(reservation, request).min(reserved);
        var granted = KindArithmetic.each(kind -> (moving || state.isOver(kind) ? known : reserved).of(kind));
        boolean answered = reservation.status().contact().isAnswered();
        boolean waits = !answered && request.use().isEmpty() && request.target().exceeds(known);
        var kept = request.use()
                .map(use -> use.exposure().min(reserved))
                .orElseGet(() -> keptOfUnreported(reservation, request, known));
        return new GrowthBaseline(granted, kept, waits);
    }

    /**
     * What the VM certainly uses or is permitted: what its agent reports in use, and the last permit that reached the
     * agent. A reply that was lost permits nothing. If the agent reports neither, it is the reservation without the
     * buffer.
     */
    static Resources known(Reservation reservation, PermitRequest request) {
        var claimed = request.lastPermit();
        return request.use()
                .map(use -> use.inUse().max(claimed.orElse(Resources.NONE)))
                .orElseGet(() -> claimed.orElse(reservation.amounts().reported()));
    }

    /**
     * What stays reserved for an agent that reports no exposure. After a loss, everything stays until the agent
     * requests less, and the last permit that it names stays even beyond the reservation, up to the maximum: the VM may
     * have been reclaimed before, which such an agent does not observe. From then on the VM's observed use stays, once
     * the VM was observed after its permit last grew; until then, what it was permitted. The last permit that the agent
     * names stays as well: if the reply to a decrease is lost, the agent continues to use that permit.
     */
    private static Resources keptOfUnreported(Reservation reservation, PermitRequest request, Resources known) {
        var amounts = reservation.amounts();
        var contact = reservation.status().contact();
        boolean current = reservation.session().observedSinceGrowth(reservation.observations());
        var observed =
                reservation.observations().vm().map(Observations.Kind::amounts).orElse(Resources.NONE);
        var named = request.lastPermit().orElse(Resources.NONE);
        var lost = contact.afterLoss() ? named.min(reservation.limits().max()) : Resources.NONE;
        var most = amounts.reserved().max(lost);
        var stays = observed.max(named);
        var permitted = contact.isAnswered() ? most : stays.max(amounts.reported());
        var more = contact.isAnswered() ? stays : most;
        var less = current ? stays : permitted;
        return KindArithmetic.each(kind ->
                Math.min((request.target().of(kind) > known.of(kind) ? more : less).of(kind), most.of(kind)));
    }

    /** The node's state with the reservation lowered to the granted amounts. */
    NodeState in(NodeState state, Reservation reservation) {
        return granted.equals(reservation.amounts().reserved())
                ? state
                : state.with(reservation.with(reservation.amounts().holding(granted)));
    }
}
