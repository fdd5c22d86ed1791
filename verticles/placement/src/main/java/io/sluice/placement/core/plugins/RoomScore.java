package io.sluice.placement.core.plugins;

/** A score of nodes by their room, which one policy selects for both entrances of placement. */
public sealed interface RoomScore extends PlacementPlugin permits ReservedShare, LiveLoad {
    /** Whether it needs to know what VMs use. */
    default boolean byUse() {
        return switch (this) {
            case ReservedShare _ -> false;
            case LiveLoad _ -> true;
        };
    }
}
