package io.sluice.placement.core.plugins;

import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.units.Resources;
import java.util.Optional;

/** Excludes nodes whose reservations and the pod would exceed their total in some kind. */
public final class ReservedRoom implements PlacementPlugin {
    @Override
    public Optional<Misfit> filter(PodToPlace pod, NodeSnapshot node) {
        var shortBy = node.reserved().plus(pod.charge()).minus(node.total());
        var shortOf = node.devices()
                .node()
                .counted(pod.pod().fixed(), node.fixedTotal())
                .shortOn(node.fixedTotal(), node.fixedReserved());
        return shortBy.equals(Resources.NONE) && shortOf.isNone()
                ? Optional.empty()
                : Optional.of(new Misfit(Obstacle.NO_ROOM, shortBy, "", shortOf));
    }
}
