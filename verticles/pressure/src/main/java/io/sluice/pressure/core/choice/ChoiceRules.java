package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.ReservationView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Chooses the VMs that leave one node: VMs are taken until the pressure is accounted for, and no more. */
public final class ChoiceRules {
    private final NodeLedgerView ledger;
    private final ChoiceContext around;
    private final Suitability suitability;
    private final List<Pick> picks = new ArrayList<>();
    private final List<StayReason> stays = new ArrayList<>();
    private final Map<String, RoomAmounts> promised;

    private ChoiceRules(NodeLedgerView ledger, ChoiceContext around) {
        this.ledger = ledger;
        this.around = around;
        suitability = new Suitability(ledger, around);
        promised = new HashMap<>(around.promised());
    }

    /** The VMs that leave the node now; none unless the ledger reports the node under pressure. */
    public static Choice choose(NodeLedgerView ledger, ChoiceContext around) {
        return ledger.underPressure() ? new ChoiceRules(ledger, around).forPressure() : Choice.NONE;
    }

    /** The VMs that leave the node now because they are labelled to migrate whenever possible. */
    public static List<Pick> always(NodeLedgerView ledger, ChoiceContext around) {
        var choosing = new ChoiceRules(ledger, around);
        choosing.forAlways();
        return List.copyOf(choosing.picks);
    }

    private Choice forPressure() {
        var balance = unaccounted();
        if (!balance.tooMuch()) {
            return Choice.NONE;
        }
        var held = ChoiceReasons.heldBack(ledger, around);
        if (held.isPresent()) {
            return Choice.none(held.get());
        }
        var left = candidates();
        while (balance.tooMuch() && overBudget().isEmpty()) {
            var pick = next(left, balance);
            if (pick.isEmpty()) {
                break;
            }
            balance = balance.without(pick.get().reservation());
            take(pick.get());
        }
        return picks.isEmpty() ? Choice.none(none(unaccounted())) : new Choice(picks, Optional.empty());
    }

    private void forAlways() {
        if (!around.listed() || around.rules().paused() || ledger.readiness() != NodeReadiness.READY) {
            return;
        }
        for (var reservation : ledger.reservations()) {
            if (reservation.traits().alwaysMigrate() && overBudget().isEmpty()) {
                always(reservation).ifPresent(this::take);
            }
        }
    }

    private Optional<Pick> always(ReservationView reservation) {
        if (suitability.ofAlways(reservation).isPresent() || gangLeaves(reservation)) {
            return Optional.empty();
        }
        var candidate = Candidate.of(reservation, around);
        return switch (room(candidate)) {
            case RoomSearch.Fits fits ->
                Optional.of(pick(
                        candidate,
                        fits,
                        MarkMigrating.Cause.ALWAYS,
                        "labelled to migrate whenever possible; " + ChoiceReasons.fits(fits)));
            case RoomSearch.Closed _, RoomSearch.Short _, RoomSearch.Nowhere _ -> Optional.empty();
        };
    }

    /** The balance once the VMs that leave already are marked. */
    private PressureBalance unaccounted() {
        var balance = PressureBalance.of(ledger);
        for (var reservation : ledger.reservations()) {
            if (!reservation.migrating() && suitability.leaving(reservation)) {
                balance = balance.without(reservation);
            }
        }
        return balance;
    }

    private Optional<NoChoice> overBudget() {
        return ChoiceReasons.budget(ledger, around, picks.size());
    }

    private List<Candidate> candidates() {
        var left = new ArrayList<Candidate>();
        for (var reservation : ledger.reservations()) {
            suitability
                    .ofPressed(reservation)
                    .ifPresentOrElse(stays::add, () -> left.add(Candidate.of(reservation, around)));
        }
        return left;
    }

    /** The next VM to leave; candidates that have to stay are removed. */
    private Optional<Pick> next(List<Candidate> left, PressureBalance balance) {
        var before = balance.excess();
        while (!left.isEmpty()) {
            var candidate = around.rules().policy().next(left, balance);
            var why = around.rules().policy().reason(candidate, left, balance);
            left.remove(candidate);
            if (gangLeaves(candidate.reservation())) {
                stays.add(new StayReason(candidate.reservation(), Obstacle.GANG, Obstacle.GANG.sentence()));
                continue;
            }
            var after = balance.without(candidate.reservation()).excess();
            if (!before.exceeds(after)) {
                stays.add(new StayReason(candidate.reservation(), Obstacle.NO_RELIEF, Obstacle.NO_RELIEF.sentence()));
                continue;
            }
            if (room(candidate) instanceof RoomSearch.Fits fits) {
                var reason = ChoiceReasons.excess(before) + "; " + why + "; " + ChoiceReasons.fits(fits);
                return Optional.of(pick(candidate, fits, MarkMigrating.Cause.PRESSURE, reason));
            }
            stays.add(ChoiceReasons.noRoom(candidate.reservation(), room(candidate)));
        }
        return Optional.empty();
    }

    /** Whether another member of its gang has just been chosen: they leave one at a time. */
    private boolean gangLeaves(ReservationView reservation) {
        return around.gang(reservation.pod())
                .filter(gang -> picks.stream()
                        .flatMap(pick -> around.gang(pick.reservation().pod()).stream())
                        .anyMatch(leaving -> leaving.label().equals(gang.label())))
                .isPresent();
    }

    private RoomSearch room(Candidate candidate) {
        return around.rooms()
                .search(ledger.node(), candidate.amounts(), promised, to -> around.against(ledger.node(), to));
    }

    private Pick pick(Candidate candidate, RoomSearch.Fits fits, MarkMigrating.Cause cause, String reason) {
        Optional<PressureNumbers> numbers =
                cause == MarkMigrating.Cause.PRESSURE ? Optional.of(PressureNumbers.of(ledger)) : Optional.empty();
        return new Pick(candidate.reservation(), candidate.vm(), ledger.node(), fits.node(), cause, numbers, reason);
    }

    private void take(Pick pick) {
        picks.add(pick);
        promised.merge(pick.to(), pick.amounts(), RoomAmounts::plus);
    }

    private NoChoice none(PressureBalance balance) {
        return ChoiceReasons.none(balance.excess(), stays);
    }
}
