package io.sluice.placement.core.plugins;

import io.sluice.shell.load.LoadScore;
import io.sluice.units.Resources;
import java.util.OptionalDouble;

/**
 * Scores nodes by what would be in use on them. The pod counts with its charge, and so does everything whose use is
 * unknown. On a node that would be above its watermark, VMs would have to be moved again, so its score is halved.
 *
 * @param score the score of a share in use
 */
public record LiveLoad(LoadScore score) implements PlacementPlugin {
    private static final double MOVED_AGAIN = 0.5;

    @Override
    public OptionalDouble score(PodToPlace pod, NodeSnapshot node, Resources largest) {
        var reserved = node.reserved().plus(pod.charge());
        double live = score.of(node.use().live(reserved), node.total());
        return OptionalDouble.of(reserved.exceeds(node.watermark()) ? live * MOVED_AGAIN : live);
    }
}
