package io.sluice.placement.core.plugins;

import io.sluice.shell.load.LoadScore;
import io.sluice.shell.load.NodeUse;
import io.sluice.units.Resources;
import java.util.OptionalDouble;

/**
 * Scores nodes by what would be in use on them. The pod counts with its charge, and so does everything whose use is
 * unknown. On a node that would be above its watermark, VMs would have to be moved again, so its score is halved.
 *
 * @param score the score of a share in use
 */
public record LiveLoad(LoadScore score) implements RoomScore {
    private static final double MOVED_AGAIN = 0.5;

    @Override
    public OptionalDouble score(PodToPlace pod, NodeSnapshot node, Resources largest) {
        return OptionalDouble.of(of(node.reserved().plus(pod.charge()), node.use(), node));
    }

    /**
     * The score of a node.
     *
     * @param reserved there, with the pod
     * @param use of its VMs
     * @param node whose total and watermark count
     */
    public double of(Resources reserved, NodeUse use, NodeSnapshot node) {
        double live = score.of(use.live(reserved), node.total());
        return reserved.exceeds(node.watermark()) ? live * MOVED_AGAIN : live;
    }
}
