package io.sluice.shell;

import io.sluice.messages.agent.Waiting;
import io.sluice.messages.ledger.KindDecision;
import io.sluice.messages.ledger.PermitReply;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Stream;

/** What of a permit request was not granted, and why. */
public final class Denial {
    private Denial() {}

    /**
     * What keeps the VM from what was requested; {@link Waiting#NOTHING} where all of it was granted. A kind that is
     * short of room weighs more than one that is at its maximum: the one may change by itself.
     */
    public static Waiting cause(PermitReply.Ruled ruled) {
        var verdicts = Stream.of(ruled.cpu(), ruled.memory())
                .filter(kind -> kind.shortBy() > 0)
                .map(KindDecision::verdict)
                .toList();
        if (verdicts.isEmpty()) {
            return Waiting.NOTHING;
        }
        if (verdicts.contains(KindDecision.Rule.MIGRATING)) {
            return Waiting.MIGRATION;
        }
        if (verdicts.contains(KindDecision.Rule.NODE_NOT_READY)) {
            return Waiting.NODE;
        }
        boolean atMax = verdicts.stream().allMatch(KindDecision.Rule.CUT_TO_MAX::equals);
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
        var why = switch (ruling.verdict()) {
            // A scheduler that gives no numbers of the node gives zeros.
            case CUT_TO_ROOM, GRANTED, NOTED ->
                ruling.nodeTotal() == 0
                        ? "the scheduler gives no more on node " + node
                        : "node " + node + " has " + text.apply(left) + " of " + text.apply(ruling.nodeTotal())
                                + " left";
            case CUT_TO_MAX -> "that is the VM's maximum";
            case MIGRATING -> "the VM is about to leave node " + node;
            case NODE_NOT_READY -> "node " + node + " is not ready";
        };
        return name + ": asked " + text.apply(ruling.asked()) + ", permitted " + text.apply(ruling.permit()) + ": "
                + why;
    }
}
