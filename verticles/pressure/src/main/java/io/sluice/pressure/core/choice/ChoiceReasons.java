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

/** The sentences that explain why VMs leave or stay. */
final class ChoiceReasons {
    private static final int SENTENCES_MAX = 3;

    private ChoiceReasons() {}

    static String excess(Resources excess) {
        return "the node's excess is " + ChoiceText.kinds(excess);
    }

    static String fits(RoomSearch.Fits fits) {
        var passedOver = fits.passedOver().isEmpty() ? "" : "; " + some(fits.passedOver());
        return fits.node() + " would then have " + ChoiceText.amount(fits.after()) + " reserved, its watermark is "
                + ChoiceText.amount(fits.watermark()) + passedOver;
    }

    private static String some(List<String> sentences) {
        int more = sentences.size() - SENTENCES_MAX;
        var shown = String.join(", ", sentences.subList(0, Math.min(sentences.size(), SENTENCES_MAX)));
        return more > 0 ? shown + ", and " + more + " more like that" : shown;
    }

    /** The reason of a candidate for which no node was found. */
    static StayReason noRoom(ReservationView reservation, RoomSearch room) {
        var obstacle = room instanceof RoomSearch.Closed ? Obstacle.CLOSED : Obstacle.NO_ROOM;
        return new StayReason(reservation, obstacle, noRoom(room));
    }

    private static String noRoom(RoomSearch room) {
        return switch (room) {
            case RoomSearch.Fits fits -> fits(fits);
            case RoomSearch.Closed closed -> Obstacle.CLOSED.sentence() + ": " + some(closed.reasons());
            case RoomSearch.Short none ->
                Obstacle.NO_ROOM.sentence() + ": " + none.node() + ", the best, would then have "
                        + ChoiceText.amount(none.after()) + " reserved, " + ChoiceText.amount(none.by())
                        + " above its watermark of " + ChoiceText.amount(none.watermark());
            case RoomSearch.Nowhere _ -> "the ledger of no other node is complete";
        };
    }

    private static NoChoice heldBack(Obstacle cause, String reason) {
        return new NoChoice(cause, reason, reason);
    }

    /** What keeps every VM on the node. */
    static Optional<NoChoice> heldBack(NodeLedgerView ledger, ChoiceContext around) {
        if (!around.listed()) {
            return Optional.of(heldBack(Obstacle.NOT_LISTED, Obstacle.NOT_LISTED.sentence()));
        }
        if (around.rules().paused()) {
            return Optional.of(heldBack(Obstacle.PAUSED, Obstacle.PAUSED.sentence()));
        }
        if (ledger.readiness() != NodeReadiness.READY) {
            return Optional.of(heldBack(Obstacle.NODE_NOT_READY, Obstacle.NODE_NOT_READY.sentence()));
        }
        return budget(ledger, around, 0);
    }

    /** The limit that is reached once so many more leave; empty if there is none. */
    static Optional<NoChoice> budget(NodeLedgerView ledger, ChoiceContext around, int more) {
        var leaving = new HashSet<>(around.leaving(ledger.node()));
        ledger.reservations().stream()
                .filter(ReservationView::migrating)
                .map(ReservationView::pod)
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

    /** The reason of the VM that came closest to leaving, with counts of the others. */
    static NoChoice none(Resources excess, List<StayReason> stays) {
        var closest = stays.stream()
                .min(Comparator.comparing(StayReason::obstacle)
                        .reversed()
                        .thenComparing(stay -> stay.reservation().pod()));
        if (closest.isEmpty()) {
            return heldBack(Obstacle.NO_RESERVATIONS, excess(excess) + ", and " + Obstacle.NO_RESERVATIONS.sentence());
        }
        var best = closest.get();
        var others = counts(stays.stream().filter(stay -> stay != best).toList());
        var reason = excess(excess) + ", and none of " + stays.size() + " can leave: " + label(best.reservation())
                + ": " + best.reason() + inWords(others);
        return new NoChoice(best.obstacle(), reason, best.reservation().pod() + " " + best.obstacle() + " " + others);
    }

    static String label(ReservationView reservation) {
        return reservation.namespace() + "/"
                + (reservation.vmName().isEmpty() ? reservation.name() : reservation.vmName());
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
