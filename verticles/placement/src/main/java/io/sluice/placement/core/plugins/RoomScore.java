package io.sluice.placement.core.plugins;

import java.util.List;

/** A score of nodes by their room, which one policy selects for both entrances of placement. */
public sealed interface RoomScore extends PlacementPlugin permits ReservedShare, LiveLoad, Utilisation {
    @Override
    default RoomScore forAttempt(PodToPlace pod, List<NodeSnapshot> candidates) {
        return this;
    }

    /** Whether it needs to know what VMs use. */
    default boolean byUse() {
        return switch (this) {
            case ReservedShare _ -> false;
            case LiveLoad _, Utilisation _ -> true;
        };
    }
}
