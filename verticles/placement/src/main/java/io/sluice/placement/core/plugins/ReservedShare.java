package io.sluice.placement.core.plugins;

import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.OptionalDouble;

/**
 * Scores nodes by the share of their total that would be reserved. The score rises in a line from {@code atEmpty} at a
 * share of 0 to 1 at {@code peak}, and falls in a line to {@code atFull} at 1. It is multiplied by the node's total,
 * divided by the largest one. The kind with the lower score counts. These are the formula and the parameters of the
 * reference's scheduler plugin ({@code minUsageScore}, {@code scorePeak}, {@code maxUsageScore}).
 *
 * @param atEmpty 0 to 1; below {@code 1} nodes in use come before empty ones
 * @param peak 0 to 1; a low peak spreads pods, a high one packs them
 * @param atFull 0 to 1
 */
public record ReservedShare(double atEmpty, double peak, double atFull) implements RoomScore {
    @Override
    public OptionalDouble score(PodToPlace pod, NodeSnapshot node, Resources largest) {
        var after = node.reserved().plus(pod.charge());
        double lowest = 1;
        for (var kind : ResourceKind.values()) {
            lowest = Math.min(lowest, score(after.of(kind), node.total().of(kind), largest.of(kind)));
        }
        return OptionalDouble.of(lowest);
    }

    /**
     * The score for one kind.
     *
     * @param reserved with the pod
     * @param total of the node
     * @param largest the largest total of any node
     */
    public double score(long reserved, long total, long largest) {
        if (total == 0 || reserved > total) {
            return 0;
        }
        // Both lines are multiplied by the total, which saves dividing by it.
        double turn = peak * total;
        double scaled = reserved < turn
                ? atEmpty * total + reserved * ((1 - atEmpty) / peak)
                : peak == 1 ? total : total - (reserved - turn) * ((1 - atFull) / (1 - peak));
        return scaled / largest;
    }
}
