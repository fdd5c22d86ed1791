package io.sluice.shell.explain;

import io.sluice.messages.agent.Waiting;
import io.sluice.messages.ledger.permit.KindDecision;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.shell.Quantities;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/** What of a permit request was not granted, and why. */
public final class Denial {
    private Denial() {}

    /**
     * Why the VM does not get what was requested; {@link Waiting#NOTHING} where all of it was granted. A lack of room
     * takes precedence over a maximum, as only room may come by itself.
     */
    public static Waiting cause(PermitReply.Ruled ruled) {
        var outcomes = Stream.of(ruled.cpu(), ruled.memory())
                .filter(kind -> kind.shortBy() > 0)
                .map(KindDecision::outcome)
                .toList();
        if (outcomes.isEmpty()) {
            return Waiting.NOTHING;
        }
        if (outcomes.contains(KindDecision.Rule.MIGRATING)) {
            return Waiting.MIGRATION;
        }
        if (outcomes.contains(KindDecision.Rule.NODE_NOT_READY)) {
            return Waiting.NODE;
        }
        boolean atMax = outcomes.stream().allMatch(KindDecision.Rule.CUT_TO_MAX::equals);
        return atMax ? Waiting.MAX : Waiting.ROOM;
    }

    /** Which kinds were granted less than was requested, and why; empty where none was. */
    public static String reason(PermitReply.Ruled ruled, String node) {
        List<String> parts = new ArrayList<>();
        if (ruled.cpu().shortBy() > 0) {
            parts.add(ofKind("cpu", ruled.cpu(), node, milli -> milli + "m"));
        }
        if (ruled.memory().shortBy() > 0) {
            parts.add(ofKind("memory", ruled.memory(), node, Quantities::memoryText));
        }
        return String.join("; ", parts);
    }

    private static String ofKind(String name, KindDecision ruling, String node, LongFunction<String> text) {
        long left = Math.max(0, ruling.nodeTotal() - ruling.nodeReserved());
        var why = switch (ruling.outcome()) {
            // A scheduler of the reference does not report the node's numbers, so they are zero.
            case CUT_TO_ROOM, GRANTED, NOTED ->
                ruling.nodeTotal() == 0
                        ? "the scheduler grants no more on node " + node
                        : "node " + node + " has " + text.apply(left) + " of " + text.apply(ruling.nodeTotal())
                                + " left";
            case CUT_TO_MAX -> "that is the VM's maximum";
            case MIGRATING -> "the VM is about to leave node " + node;
            case NODE_NOT_READY -> "node " + node + " is not ready";
        };
        return name + ": requested " + text.apply(ruling.requested()) + ", permitted " + text.apply(ruling.permit())
                + ": " + why;
    }
}
