package io.sluice.pressure.core.choosing;

import io.sluice.messages.ledger.MemberBooks;
import io.sluice.messages.ledger.NodeBooks;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.units.Resources;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Says why somebody leaves, or why nobody does. */
final class Reasons {
    private static final int SENTENCES_MAX = 3;

    private Reasons() {}

    static String excess(Resources excess) {
        return "too much by " + Words.kinds(excess);
    }

    static String fits(RoomFor.Fits fits) {
        var passedOver = fits.passedOver().isEmpty() ? "" : "; " + some(fits.passedOver());
        return fits.node() + " would have reserved " + Words.amount(fits.after()) + " of its watermark "
                + Words.amount(fits.watermark()) + passedOver;
    }

    private static String some(List<String> sentences) {
        int more = sentences.size() - SENTENCES_MAX;
        var shown = String.join(", ", sentences.subList(0, Math.min(sentences.size(), SENTENCES_MAX)));
        return more > 0 ? shown + ", and " + more + " more like that" : shown;
    }

    /** Of a member that would leave and for whom no node was found. */
    static Stay noRoom(MemberBooks member, RoomFor room) {
        var obstacle = room instanceof RoomFor.Closed ? Obstacle.CLOSED : Obstacle.NO_ROOM;
        return new Stay(member, obstacle, noRoom(room));
    }

    private static String noRoom(RoomFor room) {
        return switch (room) {
            case RoomFor.Fits fits -> fits(fits);
            case RoomFor.Closed closed -> Obstacle.CLOSED.sentence() + ": " + some(closed.reasons());
            case RoomFor.Short none ->
                Obstacle.NO_ROOM.sentence() + ": " + none.node() + ", the best, would have reserved "
                        + Words.amount(none.after()) + " of its watermark " + Words.amount(none.watermark())
                        + ", too much by " + Words.amount(none.by());
            case RoomFor.Nowhere _ -> Obstacle.NO_ROOM.sentence() + ": no other node's books are complete";
        };
    }

    private static Nobody heldBack(Obstacle cause, String reason) {
        return new Nobody(cause, reason, reason);
    }

    /** What keeps everybody on the node, whoever they are. */
    static Optional<Nobody> heldBack(NodeBooks books, Around around) {
        if (!around.listed()) {
            return Optional.of(heldBack(Obstacle.NOT_LISTED, Obstacle.NOT_LISTED.sentence()));
        }
        if (around.rules().brake()) {
            return Optional.of(heldBack(Obstacle.BRAKE, Obstacle.BRAKE.sentence()));
        }
        if (books.readiness() != NodeReadiness.READY) {
            return Optional.of(heldBack(Obstacle.NODE_NOT_READY, Obstacle.NODE_NOT_READY.sentence()));
        }
        return budget(books, around, 0);
    }

    /** What is used up once so many more leave, if anything is. */
    static Optional<Nobody> budget(NodeBooks books, Around around, int more) {
        var leaving = new HashSet<>(around.leaving(books.node()));
        books.members().stream()
                .filter(MemberBooks::migrating)
                .map(MemberBooks::member)
                .forEach(leaving::add);
        return budget(around.rules(), leaving.size() + more, around.underWay() + more);
    }

    private static Optional<Nobody> budget(Rules rules, int leaving, int underWay) {
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
    static Nobody nobody(Resources excess, List<Stay> stays) {
        var closest = stays.stream()
                .min(Comparator.comparing(Stay::obstacle)
                        .reversed()
                        .thenComparing(stay -> stay.member().member()));
        if (closest.isEmpty()) {
            return heldBack(Obstacle.NO_MEMBERS, excess(excess) + ", and " + Obstacle.NO_MEMBERS.sentence());
        }
        var best = closest.get();
        var others = counts(stays.stream().filter(stay -> stay != best).toList());
        var reason = excess(excess) + ", and none of " + stays.size() + " can leave: " + label(best.member()) + ": "
                + best.reason() + inWords(others);
        return new Nobody(best.obstacle(), reason, best.member().member() + " " + best.obstacle() + " " + others);
    }

    static String label(MemberBooks member) {
        return member.namespace() + "/" + (member.vmName().isEmpty() ? member.name() : member.vmName());
    }

    private static Map<Obstacle, Long> counts(List<Stay> stays) {
        return stays.stream().collect(Collectors.groupingBy(Stay::obstacle, TreeMap::new, Collectors.counting()));
    }

    private static String inWords(Map<Obstacle, Long> counts) {
        return counts.entrySet().stream()
                .map(entry ->
                        "; " + entry.getValue() + " more: " + entry.getKey().sentence())
                .collect(Collectors.joining());
    }
}
