package io.sluice.ledger.core;

import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * Whether VMs should leave a node, and the numbers behind it.
 *
 * @param tooMuch whether they should
 * @param clear whether no kind stands above its watermark: what was denied then only waits for the next question
 * @param logical reserved above the watermark
 * @param slack what would have to be used up before the watermark is passed in fact
 */
public record NodePressure(boolean tooMuch, boolean clear, Resources logical, Resources slack) {
    public NodePressure {
        Objects.requireNonNull(logical, "logical");
        Objects.requireNonNull(slack, "slack");
    }

    /** The verdict on a node as its books stand. */
    public static NodePressure of(NodeState state) {
        var reserved = state.sums().reserved();
        var watermark = state.size().watermark();
        var logical = reserved.minus(watermark);
        var slack = state.sums().buffer().plus(watermark.minus(reserved));
        boolean clear = isClear(reserved, watermark);
        boolean weighs = weighs(ResourceKind.CPU, state.sums(), logical, slack)
                || weighs(ResourceKind.MEMORY, state.sums(), logical, slack);
        return new NodePressure(!clear && weighs && hasSize(state), clear, logical, slack);
    }

    /** A node that is gone, or has not said yet what it can give, is not full: nobody can be moved away from it. */
    private static boolean hasSize(NodeState state) {
        return !state.size().total().equals(Resources.NONE);
    }

    /** Memory at its watermark counts as above it, CPU does not. */
    private static boolean isClear(Resources reserved, Resources watermark) {
        return reserved.milliCpu() <= watermark.milliCpu() && reserved.memoryBytes() < watermark.memoryBytes();
    }

    /** Compares differences, not sums: of amounts that are never negative no difference overflows. */
    private static boolean weighs(ResourceKind kind, NodeSums sums, Resources logical, Resources slack) {
        return logical.of(kind) - sums.accountedPressure().of(kind)
                > slack.of(kind) - sums.capacityPressure().of(kind);
    }
}
