package io.sluice.pressure.core.choice;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.units.Resources;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Says why somebody leaves, or why nobody does. */
final class ChoiceReasons {
    private static final int SENTENCES_MAX = 3;

    private ChoiceReasons() {}

    static String excess(Resources excess) {
        return "too much by " + ChoiceText.kinds(excess);
    }

    static String fits(RoomSearch.Fits fits) {
        var passedOver = fits.passedOver().isEmpty() ? "" : "; " + some(fits.passedOver());
        return fits.node() + " would have reserved " + ChoiceText.amount(fits.after()) + " of its watermark "
                + ChoiceText.amount(fits.watermark()) + passedOver;
    }

    private static String some(List<String> sentences) {
        int more = sentences.size() - SENTENCES_MAX;
        var shown = String.join(", ", sentences.subList(0, Math.min(sentences.size(), SENTENCES_MAX)));
        return more > 0 ? shown + ", and " + more + " more like that" : shown;
    }

    /** Of a member that would leave and for whom no node was found. */
    static StayReason noRoom(ReservationView member, RoomSearch room) {
        var obstacle = room instanceof RoomSearch.Closed ? Obstacle.CLOSED : Obstacle.NO_ROOM;
        return new StayReason(member, obstacle, noRoom(room));
    }

    private static String noRoom(RoomSearch room) {
        return switch (room) {
            case RoomSearch.Fits fits -> fits(fits);
            case RoomSearch.Closed closed -> Obstacle.CLOSED.sentence() + ": " + some(closed.reasons());
            case RoomSearch.Short none ->
                Obstacle.NO_ROOM.sentence() + ": " + none.node() + ", the best, would have reserved "
                        + ChoiceText.amount(none.after()) + " of its watermark " + ChoiceText.amount(none.watermark())
                        + ", too much by " + ChoiceText.amount(none.by());
            case RoomSearch.Nowhere _ -> Obstacle.NO_ROOM.sentence() + ": no other node's books are complete";
        };
    }

    private static NoChoice heldBack(Obstacle cause, String reason) {
        return new NoChoice(cause, reason, reason);
    }

    /** What keeps everybody on the node, whoever they are. */
    static Optional<NoChoice> heldBack(NodeLedgerView books, ChoiceContext around) {
        if (!around.listed()) {
            return Optional.of(heldBack(Obstacle.NOT_LISTED, Obstacle.NOT_LISTED.sentence()));
        }
        if (around.rules().paused()) {
            return Optional.of(heldBack(Obstacle.PAUSED, Obstacle.PAUSED.sentence()));
        }
        if (books.readiness() != NodeReadiness.READY) {
            return Optional.of(heldBack(Obstacle.NODE_NOT_READY, Obstacle.NODE_NOT_READY.sentence()));
        }
        return budget(books, around, 0);
    }

    /** What is used up once so many more leave, if anything is. */
    static Optional<NoChoice> budget(NodeLedgerView books, ChoiceContext around, int more) {
        var leaving = new HashSet<>(around.leaving(books.node()));
        books.members().stream()
                .filter(ReservationView::migrating)
                .map(ReservationView::member)
                .forEach(leaving::add);
        return budget(around.rules(), leaving.size() + more, around.underWay() + more);
    }

    private static Optional<NoChoice> budget(PressureRules rules, int leaving, int underWay) {
        if (leaving >= rules.maxConcurrentPerNode()) {
            return Optional.of(heldBack(
                    Obstacle.NODE_BUDGET,
                    Obstacle.NODE_BUDGET.sentence() + ": " + leaving + " of " + rules.maxConcurrentPerNode()));
        }
        if (underWay >= rules.maxConcurrent()) {
            return Optional.of(heldBack(
                    Obstacle.BUDGET, Obstacle.BUDGET.sentence() + ": " + underWay + " of " + rules.maxConcurrent()));
        }
        return Optional.empty();
    }

    /** The one that came closest to leaving stands for all; the others are counted. */
    static NoChoice nobody(Resources excess, List<StayReason> stays) {
        var closest = stays.stream()
                .min(Comparator.comparing(StayReason::obstacle)
                        .reversed()
                        .thenComparing(stay -> stay.member().member()));
        if (closest.isEmpty()) {
            return heldBack(Obstacle.NO_MEMBERS, excess(excess) + ", and " + Obstacle.NO_MEMBERS.sentence());
        }
        var best = closest.get();
        var others = counts(stays.stream().filter(stay -> stay != best).toList());
        var reason = excess(excess) + ", and none of " + stays.size() + " can leave: " + label(best.member()) + ": "
                + best.reason() + inWords(others);
        return new NoChoice(best.obstacle(), reason, best.member().member() + " " + best.obstacle() + " " + others);
    }

    static String label(ReservationView member) {
        return member.namespace() + "/" + (member.vmName().isEmpty() ? member.name() : member.vmName());
    }

    private static Map<Obstacle, Long> counts(List<StayReason> stays) {
        return stays.stream().collect(Collectors.groupingBy(StayReason::obstacle, TreeMap::new, Collectors.counting()));
    }

    private static String inWords(Map<Obstacle, Long> counts) {
        return counts.entrySet().stream()
                .map(entry ->
                        "; " + entry.getValue() + " more: " + entry.getKey().sentence())
                .collect(Collectors.joining());
    }
}
