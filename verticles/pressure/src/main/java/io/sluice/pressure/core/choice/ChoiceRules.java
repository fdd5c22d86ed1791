package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Chooses who leaves one node: members are taken until the pressure is accounted for, and never more. */
public final class ChoiceRules {
    private final NodeLedgerView books;
    private final ChoiceContext around;
    private final Suitability suitability;
    private final List<Pick> picks = new ArrayList<>();
    private final List<StayReason> stays = new ArrayList<>();
    private final Map<String, Resources> promised;

    private ChoiceRules(NodeLedgerView books, ChoiceContext around) {
        this.books = books;
        this.around = around;
        suitability = new Suitability(books, around);
        promised = new HashMap<>(around.promised());
    }

    /** Who leaves the node now; nobody where the ledger does not say that VMs should. */
    public static Choice choose(NodeLedgerView books, ChoiceContext around) {
        return books.underPressure() ? new ChoiceRules(books, around).forPressure() : Choice.NONE;
    }

    /** Who leaves the node now because they are labelled to move whenever they can. */
    public static List<Pick> always(NodeLedgerView books, ChoiceContext around) {
        var choosing = new ChoiceRules(books, around);
        choosing.forAlways();
        return List.copyOf(choosing.picks);
    }

    private Choice forPressure() {
        var balance = unaccounted();
        if (!balance.tooMuch()) {
            return Choice.NONE;
        }
        var held = ChoiceReasons.heldBack(books, around);
        if (held.isPresent()) {
            return Choice.nobody(held.get());
        }
        var left = candidates();
        while (balance.tooMuch() && overBudget().isEmpty()) {
            var pick = next(left, balance);
            if (pick.isEmpty()) {
                break;
            }
            balance = balance.without(pick.get().member());
            take(pick.get());
        }
        return picks.isEmpty() ? Choice.nobody(nobody(unaccounted())) : new Choice(picks, Optional.empty());
    }

    private void forAlways() {
        if (!around.listed() || around.rules().paused() || books.readiness() != NodeReadiness.READY) {
            return;
        }
        for (var member : books.members()) {
            if (member.traits().alwaysMigrate() && overBudget().isEmpty()) {
                always(member).ifPresent(this::take);
            }
        }
    }

    private Optional<Pick> always(ReservationView member) {
        if (suitability.ofAlways(member).isPresent()) {
            return Optional.empty();
        }
        var candidate = candidate(member);
        return switch (room(candidate)) {
            case RoomSearch.Fits fits ->
                Optional.of(pick(
                        candidate,
                        fits,
                        MarkMigrating.Cause.ALWAYS,
                        "labelled to move whenever it can; " + ChoiceReasons.fits(fits)));
            case RoomSearch.Closed _, RoomSearch.Short _, RoomSearch.Nowhere _ -> Optional.empty();
        };
    }

    /** The books, as they will be once those are marked that leave already. */
    private PressureBalance unaccounted() {
        var balance = PressureBalance.of(books);
        for (var member : books.members()) {
            if (!member.migrating() && suitability.leaving(member)) {
                balance = balance.without(member);
            }
        }
        return balance;
    }

    private Optional<NoChoice> overBudget() {
        return ChoiceReasons.budget(books, around, picks.size());
    }

    private List<Candidate> candidates() {
        var left = new ArrayList<Candidate>();
        for (var member : books.members()) {
            suitability.ofPressed(member).ifPresentOrElse(stays::add, () -> left.add(candidate(member)));
        }
        return left;
    }

    private Candidate candidate(ReservationView member) {
        return new Candidate(
                member, around.vm(member.namespace(), member.vmName()).orElseThrow());
    }

    /** Takes those out of the candidates that turn out to stay. */
    private Optional<Pick> next(List<Candidate> left, PressureBalance balance) {
        var before = balance.excess();
        while (!left.isEmpty()) {
            var candidate = around.rules().policy().next(left, balance);
            var why = around.rules().policy().reason(candidate, left, balance);
            left.remove(candidate);
            var after = balance.without(candidate.member()).excess();
            if (!before.exceeds(after)) {
                stays.add(new StayReason(candidate.member(), Obstacle.NO_RELIEF, Obstacle.NO_RELIEF.sentence()));
                continue;
            }
            if (room(candidate) instanceof RoomSearch.Fits fits) {
                var reason = ChoiceReasons.excess(before) + "; " + why + "; " + ChoiceReasons.fits(fits);
                return Optional.of(pick(candidate, fits, MarkMigrating.Cause.PRESSURE, reason));
            }
            stays.add(ChoiceReasons.noRoom(candidate.member(), room(candidate)));
        }
        return Optional.empty();
    }

    private RoomSearch room(Candidate candidate) {
        return around.rooms()
                .search(books.node(), candidate.charge(), promised, to -> around.against(books.node(), to));
    }

    private Pick pick(Candidate candidate, RoomSearch.Fits fits, MarkMigrating.Cause cause, String reason) {
        Optional<PressureNumbers> numbers =
                cause == MarkMigrating.Cause.PRESSURE ? Optional.of(PressureNumbers.of(books)) : Optional.empty();
        return new Pick(candidate.member(), candidate.vm(), books.node(), fits.node(), cause, numbers, reason);
    }

    private void take(Pick pick) {
        picks.add(pick);
        promised.merge(pick.to(), pick.charge(), Resources::plus);
    }

    private NoChoice nobody(PressureBalance balance) {
        return ChoiceReasons.nobody(balance.excess(), stays);
    }
}
