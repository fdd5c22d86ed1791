package io.sluice.placement.core.devices;

import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.units.Resources;
import java.util.OptionalDouble;

/**
 * Sluice's own score: by fragmentation, and of nodes with the same one by best fit. Many nodes have the same, since
 * fragmentation counts in whole percents; which of them is taken then matters more than a finer measure.
 *
 * @param fragmentation the first score
 * @param fit the second one
 */
public record LeastFragments(Fragmentation fragmentation, BestFit fit) implements PlacementPlugin {
    /** A difference by fit is less than the smallest one by fragmentation. */
    private static final double BELOW_A_PERCENT = 0.0099;

    public LeastFragments(TypicalPods typical, int devicesMax) {
        this(new Fragmentation(typical), new BestFit(devicesMax));
    }

    @Override
    public OptionalDouble score(PodToPlace pod, NodeSnapshot node, Resources largest) {
        return OptionalDouble.of(fragmentation.of(pod, node) + BELOW_A_PERCENT * fit.of(pod, node, largest));
    }
}
