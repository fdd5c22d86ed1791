package io.sluice.placement.core.plugins;

import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.Optional;

/** Excludes nodes on which the pod would take room that is kept for another pod. */
public final class RoomOfOthers implements PlacementPlugin {
    @Override
    public Optional<Misfit> filter(PodToPlace pod, NodeSnapshot node) {
        var observed = pod.pod();
        return node.keptFrom(
                        node.reserved(),
                        pod.charge(),
                        observed.fixed(),
                        observed.priority(),
                        room -> room.isFor(observed.uid(), observed.namespace(), observed.name()))
                .map(room -> new Misfit(Obstacle.KEPT, Resources.NONE, room.pod(), FixedAmounts.NONE));
    }
}
