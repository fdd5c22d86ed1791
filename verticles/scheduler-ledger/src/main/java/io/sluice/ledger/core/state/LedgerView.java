package io.sluice.ledger.core.state;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import java.util.ArrayList;
import java.util.List;

/** The public view of a node ledger. */
public final class LedgerView {
    private LedgerView() {}

    /** The view with every reservation, sorted by id. */
    public static NodeLedgerView full(NodeState state, long invariantsBroken) {
        var reservations = new ArrayList<ReservationView>(state.reservations().size());
        for (var reservation : state.reservations()) {
            reservations.add(of(reservation));
        }
        return of(state, invariantsBroken, reservations);
    }

    /** The view without reservations. */
    public static NodeLedgerView summary(NodeState state, long invariantsBroken) {
        return of(state, invariantsBroken, List.of());
    }

    private static NodeLedgerView of(NodeState state, long invariantsBroken, List<ReservationView> reservations) {
        var sums = state.sums();
        return new NodeLedgerView(
                state.node(),
                state.fullList().complete(),
                state.size().total(),
                state.size().watermark(),
                sums.reserved(),
                sums.committed(),
                sums.held(),
                sums.buffer(),
                sums.capacityPressure(),
                sums.accountedPressure(),
                sums.migrating(),
                isPressed(state),
                invariantsBroken,
                reservations,
                state.size().readiness(),
                unsettled(state),
                state.size().fixed(),
                sums.fixed(),
                sums.fixedHeld(),
                state.size().devices(),
                state.claim().map(RoomClaim::room),
                sums.deferred(),
                state.fullList().completedAt());
    }

    /** Whether VMs should leave the node now; an incomplete ledger does not know. */
    public static boolean isPressed(NodeState state) {
        return state.fullList().complete() && NodePressure.of(state).tooMuch();
    }

    /** The number of reservations that were recovered or found, or wait for a reclaim. */
    public static int unsettled(NodeState state) {
        int unsettled = 0;
        for (var reservation : state.reservations()) {
            unsettled += reservation.status().contact().shown().unsettled() ? 1 : 0;
        }
        return unsettled;
    }

    private static ReservationView of(Reservation reservation) {
        var amounts = reservation.amounts();
        return new ReservationView(
                reservation.id(),
                reservation.pod().namespace(),
                reservation.pod().name(),
                reservation.pod().vmName(),
                amounts.reserved(),
                amounts.requested(),
                amounts.pressure(),
                amounts.buffer(),
                reservation.limits().max(),
                reservation.status().migrating(),
                reservation.status().contact().shown(),
                reservation.session().session(),
                reservation.session().seq(),
                traits(reservation));
    }

    private static ReservationTraits traits(Reservation reservation) {
        var status = reservation.status();
        return new ReservationTraits(
                reservation.amounts().charge(),
                reservation.amounts().overcommit(),
                reservation.limits().unit(),
                reservation.session().load1(),
                reservation.pod().createdAtSeconds(),
                reservation.limits().autoscaled(),
                reservation.limits().migratable() && reservation.shares().isEmpty(),
                reservation.limits().alwaysMigrate(),
                status.held(),
                status.arrival().underWay(),
                status.marks(),
                status.held() ? status.heldFor() : status.arrival().attempt(),
                reservation.taken());
    }
}
