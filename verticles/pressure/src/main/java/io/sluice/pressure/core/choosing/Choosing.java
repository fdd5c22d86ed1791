package io.sluice.pressure.core.choosing;

import io.sluice.messages.ledger.MarkMigrating;
import io.sluice.messages.ledger.MemberBooks;
import io.sluice.messages.ledger.NodeBooks;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Chooses who leaves one node: members are taken until the pressure is accounted for, and never more. */
public final class Choosing {
    private final NodeBooks books;
    private final Around around;
    private final Suitability suitability;
    private final List<Pick> picks = new ArrayList<>();
    private final List<Stay> stays = new ArrayList<>();
    private final Map<String, Resources> promised;

    private Choosing(NodeBooks books, Around around) {
        this.books = books;
        this.around = around;
        suitability = new Suitability(books, around);
        promised = new HashMap<>(around.promised());
    }

    /** Who leaves the node now; nobody where the ledger does not say that VMs should. */
    public static Choice choose(NodeBooks books, Around around) {
        return books.underPressure() ? new Choosing(books, around).forPressure() : Choice.NONE;
    }

    /** Who leaves the node now because they are labelled to move whenever they can. */
    public static List<Pick> always(NodeBooks books, Around around) {
        var choosing = new Choosing(books, around);
        choosing.forAlways();
        return List.copyOf(choosing.picks);
    }

    private Choice forPressure() {
        var balance = unaccounted();
        if (!balance.tooMuch()) {
            return Choice.NONE;
        }
        var held = Reasons.heldBack(books, around);
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
        if (!around.listed() || around.rules().brake() || books.readiness() != NodeReadiness.READY) {
            return;
        }
        for (var member : books.members()) {
            if (member.traits().alwaysMigrate() && overBudget().isEmpty()) {
                always(member).ifPresent(this::take);
            }
        }
    }

    private Optional<Pick> always(MemberBooks member) {
        if (suitability.ofAlways(member).isPresent()) {
            return Optional.empty();
        }
        var candidate = candidate(member);
        return switch (room(candidate)) {
            case RoomFor.Fits fits ->
                Optional.of(pick(
                        candidate,
                        fits,
                        MarkMigrating.Cause.ALWAYS,
                        "labelled to move whenever it can; " + Reasons.fits(fits)));
            case RoomFor.Closed _, RoomFor.Short _, RoomFor.Nowhere _ -> Optional.empty();
        };
    }

    /** The books, as they will be once those are marked that leave already. */
    private Balance unaccounted() {
        var balance = Balance.of(books);
        for (var member : books.members()) {
            if (!member.migrating() && suitability.leaving(member)) {
                balance = balance.without(member);
            }
        }
        return balance;
    }

    private Optional<Nobody> overBudget() {
        return Reasons.budget(books, around, picks.size());
    }

    private List<Candidate> candidates() {
        var left = new ArrayList<Candidate>();
        for (var member : books.members()) {
            suitability.ofPressed(member).ifPresentOrElse(stays::add, () -> left.add(candidate(member)));
        }
        return left;
    }

    private Candidate candidate(MemberBooks member) {
        return new Candidate(
                member, around.vm(member.namespace(), member.vmName()).orElseThrow());
    }

    /** Takes those out of the candidates that turn out to stay. */
    private Optional<Pick> next(List<Candidate> left, Balance balance) {
        var before = balance.excess();
        while (!left.isEmpty()) {
            var candidate = around.rules().policy().next(left, balance);
            var why = around.rules().policy().reason(candidate, left, balance);
            left.remove(candidate);
            var after = balance.without(candidate.member()).excess();
            if (!before.exceeds(after)) {
                stays.add(new Stay(candidate.member(), Obstacle.NO_RELIEF, Obstacle.NO_RELIEF.sentence()));
                continue;
            }
            if (room(candidate) instanceof RoomFor.Fits fits) {
                var reason = Reasons.excess(before) + "; " + why + "; " + Reasons.fits(fits);
                return Optional.of(pick(candidate, fits, MarkMigrating.Cause.PRESSURE, reason));
            }
            stays.add(Reasons.noRoom(candidate.member(), room(candidate)));
        }
        return Optional.empty();
    }

    private RoomFor room(Candidate candidate) {
        return around.rooms()
                .search(books.node(), candidate.charge(), promised, to -> around.against(books.node(), to));
    }

    private Pick pick(Candidate candidate, RoomFor.Fits fits, MarkMigrating.Cause cause, String reason) {
        Optional<PressureNumbers> numbers =
                cause == MarkMigrating.Cause.PRESSURE ? Optional.of(PressureNumbers.of(books)) : Optional.empty();
        return new Pick(candidate.member(), candidate.vm(), books.node(), fits.node(), cause, numbers, reason);
    }

    private void take(Pick pick) {
        picks.add(pick);
        promised.merge(pick.to(), pick.charge(), Resources::plus);
    }

    private Nobody nobody(Balance balance) {
        return Reasons.nobody(balance.excess(), stays);
    }
}
