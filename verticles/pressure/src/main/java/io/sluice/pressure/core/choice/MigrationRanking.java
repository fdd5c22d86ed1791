package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.pressure.Ranking;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The order in which VMs would leave a node, whether or not one has to. */
public final class MigrationRanking {
    private MigrationRanking() {}

    /** The VMs that could leave, in order, and those that could not, with the reason. */
    public static Ranking rank(NodeLedgerView ledger, ChoiceContext around) {
        var suitability = new Suitability(ledger, around);
        var left = new ArrayList<Candidate>();
        var stays = new ArrayList<StayReason>();
        for (var reservation : ledger.reservations()) {
            var stay = suitability.ofPressed(reservation);
            if (stay.isPresent()) {
                stays.add(stay.get());
                continue;
            }
            left.add(Candidate.of(reservation, around));
        }
        var ranks = candidates(ledger, around, left, stays);
        stays.sort(Comparator.comparing((StayReason stay) -> ChoiceReasons.label(stay.reservation()))
                .thenComparing(stay -> stay.reservation().pod()));
        stays.forEach(stay -> ranks.add(
                new Ranking.Rank(stay.reservation().pod(), stay.reservation().vmName(), false, stay.reason())));
        return new Ranking(ranks);
    }

    private static List<Ranking.Rank> candidates(
            NodeLedgerView ledger, ChoiceContext around, List<Candidate> left, List<StayReason> stays) {
        var ranks = new ArrayList<Ranking.Rank>();
        var balance = PressureBalance.of(ledger);
        var suitability = new Suitability(ledger, around);
        var suffix = heldBack(ledger, around);
        while (!left.isEmpty()) {
            var next = around.rules().policy().next(left, balance);
            var why = around.rules().policy().reason(next, left, balance);
            left.remove(next);
            var room = around.rooms()
                    .search(ledger.node(), next.amounts(), around.promised(), to -> around.against(ledger.node(), to));
            if (room instanceof RoomSearch.Fits fits) {
                balance = balance.without(next.reservation());
                ranks.add(new Ranking.Rank(
                        next.reservation().pod(),
                        next.reservation().vmName(),
                        true,
                        why + "; " + ChoiceReasons.fits(fits) + always(next, suitability) + suffix));
            } else {
                stays.add(ChoiceReasons.noRoom(next.reservation(), room));
            }
        }
        return ranks;
    }

    private static String always(Candidate candidate, Suitability suitability) {
        if (!candidate.reservation().traits().alwaysMigrate()) {
            return "";
        }
        var kept = suitability.ofAlways(candidate.reservation()).map(stay -> ", and " + stay.reason());
        return "; labelled to migrate whenever possible" + kept.orElse("");
    }

    private static String heldBack(NodeLedgerView ledger, ChoiceContext around) {
        return ChoiceReasons.heldBack(ledger, around)
                .map(none -> "; not now: " + none.reason())
                .orElse("");
    }
}
