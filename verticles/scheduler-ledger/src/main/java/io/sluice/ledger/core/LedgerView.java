package io.sluice.ledger.core;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import java.util.ArrayList;
import java.util.List;

/** The books as they are shown to others. */
public final class LedgerView {
    private LedgerView() {}

    /** With every member, sorted by id. */
    public static NodeLedgerView full(NodeState state, long invariantsBroken) {
        var members = new ArrayList<ReservationView>(state.members().size());
        for (var member : state.members()) {
            members.add(of(member));
        }
        return of(state, invariantsBroken, members);
    }

    /** The sums alone. */
    public static NodeLedgerView summary(NodeState state, long invariantsBroken) {
        return of(state, invariantsBroken, List.of());
    }

    private static NodeLedgerView of(NodeState state, long invariantsBroken, List<ReservationView> members) {
        var sums = state.sums();
        return new NodeLedgerView(
                state.node(),
                state.listing().complete(),
                state.size().total(),
                state.size().watermark(),
                sums.reserved(),
                sums.committed(),
                sums.held(),
                sums.buffer(),
                sums.capacityPressure(),
                sums.accountedPressure(),
                sums.migrating(),
                state.listing().complete() && NodePressure.of(state).tooMuch(),
                invariantsBroken,
                members,
                state.size().readiness(),
                unsettled(state));
    }

    /** How many members wait for their agent, or for being settled. */
    static int unsettled(NodeState state) {
        int unsettled = 0;
        for (var member : state.members()) {
            unsettled += member.standing().contact().shown().unsettled() ? 1 : 0;
        }
        return unsettled;
    }

    private static ReservationView of(Reservation member) {
        var amounts = member.amounts();
        return new ReservationView(
                member.id(),
                member.who().namespace(),
                member.who().name(),
                member.who().vmName(),
                amounts.reserved(),
                amounts.requested(),
                amounts.pressure(),
                amounts.buffer(),
                member.limits().max(),
                member.standing().migrating(),
                member.standing().contact().shown(),
                member.talk().session(),
                member.talk().seq(),
                traits(member));
    }

    private static ReservationTraits traits(Reservation member) {
        return new ReservationTraits(
                member.amounts().charge(),
                member.amounts().overcommit(),
                member.limits().unit(),
                member.talk().load1(),
                member.who().createdAtSeconds(),
                member.limits().autoscaled(),
                member.limits().migratable(),
                member.limits().alwaysMigrate(),
                member.standing().held(),
                member.standing().arrival().underWay(),
                member.standing().marks());
    }
}
