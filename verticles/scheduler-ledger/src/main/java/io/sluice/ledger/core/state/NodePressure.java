package io.sluice.ledger.core.state;

import io.sluice.messages.ledger.PressureNumbers;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * Whether VMs should leave a node, and the numbers for it.
 *
 * @param tooMuch whether VMs should leave
 * @param clear whether no kind is above its watermark, and the kubelet defers nothing; refused amounts then only wait
 *     for the next request
 * @param logical the charges above the watermark
 * @param slack what has to be used up before actual use exceeds the watermark
 */
public record NodePressure(boolean tooMuch, boolean clear, Resources logical, Resources slack) {
    public NodePressure {
        Objects.requireNonNull(logical, "logical");
        Objects.requireNonNull(slack, "slack");
    }

    /** Computes the pressure of a node from its state. */
    public static NodePressure of(NodeState state) {
        var reserved = state.sums().reserved();
        var watermark = state.size().watermark();
        var logical = reserved.minus(watermark);
        var deferred = state.sums().deferred();
        var slack = PressureNumbers.slack(state.sums().buffer(), watermark.minus(reserved), deferred);
        boolean clear = isClear(reserved, watermark) && deferred.equals(Resources.NONE);
        boolean weighs = weighs(ResourceKind.CPU, state.sums(), logical, slack)
                || weighs(ResourceKind.MEMORY, state.sums(), logical, slack);
        return new NodePressure(!clear && weighs && hasSize(state), clear, logical, slack);
    }

    /**
     * A node that is gone, or has not reported its resources yet, is not under pressure: no VM can be migrated away.
     */
    private static boolean hasSize(NodeState state) {
        return !state.size().total().equals(Resources.NONE);
    }

    /** Memory at its watermark counts as above it, CPU does not. */
    private static boolean isClear(Resources reserved, Resources watermark) {
        return reserved.milliCpu() <= watermark.milliCpu() && reserved.memoryBytes() < watermark.memoryBytes();
    }

    /** Compares differences instead of sums: differences of non-negative amounts do not overflow. */
    private static boolean weighs(ResourceKind kind, NodeSums sums, Resources logical, Resources slack) {
        return logical.of(kind) - sums.accountedPressure().of(kind)
                > slack.of(kind) - sums.capacityPressure().of(kind);
    }
}
