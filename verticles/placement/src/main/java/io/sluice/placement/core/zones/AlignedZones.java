package io.sluice.placement.core.zones;

import io.sluice.devices.DeviceMisfit;
import io.sluice.devices.ZoneFit;
import io.sluice.devices.ZoneRequest;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.units.Resources;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Excludes nodes whose kubelet would refuse a pod because it cannot align it to NUMA zones, and scores nodes by how
 * well it would. A pod that is not aligned fits everywhere and has no score.
 *
 * @param by how nodes are scored
 */
public record AlignedZones(ZoneScore by) implements PlacementPlugin {
    /** How much more than the score by CPU and memory this one counts. */
    private static final double WEIGHT = 2;

    private static final double HUNDRED = 100;

    public AlignedZones {
        Objects.requireNonNull(by, "by");
    }

    @Override
    public Optional<Misfit> filter(PodToPlace pod, NodeSnapshot node) {
        return node.zones().refuses()
                ? misfit(ZoneRequest.of(pod.pod().fixed()), node).map(Misfit::of)
                : Optional.empty();
    }

    /** Why the node's kubelet would refuse a pod; empty where it would not. */
    public static Optional<DeviceMisfit> misfit(ZoneRequest pod, NodeSnapshot node) {
        return ZoneFit.misfit(node.zones(), node.fixedTotal(), node.fixedReserved(), pod);
    }

    @Override
    public double weight(PodToPlace pod) {
        return WEIGHT;
    }

    @Override
    public OptionalDouble score(PodToPlace pod, NodeSnapshot node, Resources largest) {
        return score(ZoneRequest.of(pod.pod().fixed()), node);
    }

    private OptionalDouble score(ZoneRequest pod, NodeSnapshot node) {
        if (pod.isNone()) {
            return OptionalDouble.empty();
        }
        var free = node.zones().free(node.fixedTotal(), node.fixedReserved());
        return OptionalDouble.of(free.zones().isEmpty() ? 0 : by.score(free, pod) / HUNDRED);
    }

    /** The score of a node by what others score, and by its zones. */
    public double with(double others, ZoneRequest pod, NodeSnapshot node) {
        var own = score(pod, node);
        return own.isPresent() ? (others + WEIGHT * own.getAsDouble()) / (1 + WEIGHT) : others;
    }
}
