package io.sluice.placement.core.devices;

import io.sluice.devices.GpuDemand;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.units.Resources;
import java.util.OptionalDouble;

/** A score of nodes by their GPUs, which the config selects for both entrances of placement. */
public sealed interface DeviceScore extends PlacementPlugin permits DeviceFill, LeastFragments {
    /** The score of a node; empty for one without GPUs, or where the pod's room alone counts. */
    OptionalDouble score(GpuDemand demand, Resources charge, NodeSnapshot node, Resources largest);

    /** How much the score counts beside that by room. */
    double weight(GpuDemand demand);

    /** The part of its score that a node with GPUs loses for a pod that requests none. */
    double penalty();

    @Override
    default OptionalDouble score(PodToPlace pod, NodeSnapshot node, Resources largest) {
        return score(pod.pod().gpus(), pod.charge(), node, largest);
    }

    @Override
    default double weight(PodToPlace pod) {
        return weight(pod.pod().gpus());
    }

    @Override
    default double factor(PodToPlace pod, NodeSnapshot node) {
        return factor(pod.pod().gpus(), node);
    }

    private double factor(GpuDemand demand, NodeSnapshot node) {
        return demand.isNone() && node.devices().count() > 0 ? 1 - penalty() : 1;
    }

    /** The score of a node by its room and its GPUs together. */
    default double with(double room, GpuDemand demand, Resources charge, NodeSnapshot node, Resources largest) {
        var own = score(demand, charge, node, largest);
        double weight = weight(demand);
        double both = own.isPresent() ? (room + weight * own.getAsDouble()) / (1 + weight) : room;
        return factor(demand, node) * both;
    }
}
