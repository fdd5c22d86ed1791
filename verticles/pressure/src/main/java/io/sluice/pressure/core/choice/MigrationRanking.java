package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.pressure.Ranking;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Says who would leave a node, in which order, whether or not anybody has to. */
public final class MigrationRanking {
    private MigrationRanking() {}

    /** Those who could leave, in order, and those who could not, with what keeps them. */
    public static Ranking rank(NodeLedgerView books, ChoiceContext around) {
        var suitability = new Suitability(books, around);
        var left = new ArrayList<Candidate>();
        var stays = new ArrayList<StayReason>();
        for (var member : books.members()) {
            var stay = suitability.ofPressed(member);
            if (stay.isPresent()) {
                stays.add(stay.get());
                continue;
            }
            var vm = around.vm(member.namespace(), member.vmName()).orElseThrow();
            left.add(new Candidate(member, vm));
        }
        var ranks = candidates(books, around, left, stays);
        stays.sort(Comparator.comparing((StayReason stay) -> ChoiceReasons.label(stay.member()))
                .thenComparing(stay -> stay.member().member()));
        stays.forEach(stay ->
                ranks.add(new Ranking.Rank(stay.member().member(), stay.member().vmName(), false, stay.reason())));
        return new Ranking(ranks);
    }

    private static List<Ranking.Rank> candidates(
            NodeLedgerView books, ChoiceContext around, List<Candidate> left, List<StayReason> stays) {
        var ranks = new ArrayList<Ranking.Rank>();
        var balance = PressureBalance.of(books);
        var suitability = new Suitability(books, around);
        var suffix = heldBack(books, around);
        while (!left.isEmpty()) {
            var next = around.rules().policy().next(left, balance);
            var why = around.rules().policy().reason(next, left, balance);
            left.remove(next);
            var room = around.rooms()
                    .search(books.node(), next.charge(), around.promised(), to -> around.against(books.node(), to));
            if (room instanceof RoomSearch.Fits fits) {
                balance = balance.without(next.member());
                ranks.add(new Ranking.Rank(
                        next.member().member(),
                        next.member().vmName(),
                        true,
                        why + "; " + ChoiceReasons.fits(fits) + always(next, suitability) + suffix));
            } else {
                stays.add(ChoiceReasons.noRoom(next.member(), room));
            }
        }
        return ranks;
    }

    private static String always(Candidate candidate, Suitability suitability) {
        if (!candidate.member().traits().alwaysMigrate()) {
            return "";
        }
        var kept = suitability.ofAlways(candidate.member()).map(stay -> ", and " + stay.reason());
        return "; labelled to move whenever it can" + kept.orElse("");
    }

    private static String heldBack(NodeLedgerView books, ChoiceContext around) {
        return ChoiceReasons.heldBack(books, around)
                .map(nobody -> "; not now: " + nobody.reason())
                .orElse("");
    }
}
