package io.sluice.placement.core.plugins;

import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.Optional;

/** Excludes nodes on which the pod would take room that is kept for another pod. */
public final class RoomOfOthers implements PlacementPlugin {
    @Override
    public Optional<Misfit> filter(PodToPlace pod, NodeSnapshot node) {
        return node.kept()
                .filter(room -> !room.isFor(
                        pod.pod().uid(), pod.pod().namespace(), pod.pod().name()))
                .filter(room -> pod.pod().priority() <= room.upTo())
                .filter(room ->
                        node.reserved().plus(pod.charge()).plus(room.charge()).exceeds(node.total()))
                .map(room -> new Misfit(Obstacle.KEPT, Resources.NONE, room.pod(), FixedAmounts.NONE));
    }
}
