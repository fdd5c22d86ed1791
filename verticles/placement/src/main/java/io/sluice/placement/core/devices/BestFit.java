package io.sluice.placement.core.devices;

import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.units.Resources;
import java.util.Arrays;
import java.util.OptionalDouble;

/** Scores nodes by how little of their CPU and GPUs a pod leaves. A node without GPUs has no score. */
public record BestFit() implements PlacementPlugin {
    /** The most devices of a node. */
    private static final double DEVICES_MAX = 16;

    @Override
    public OptionalDouble score(PodToPlace pod, NodeSnapshot node, Resources largest) {
        return node.hasDevices()
                ? OptionalDouble.of(of(PodShape.of(pod.pod().gpus(), pod.charge()), node, largest))
                : OptionalDouble.empty();
    }

    double of(PodShape shape, NodeSnapshot node, Resources largest) {
        double cpu = node.total().milliCpu() - node.reserved().milliCpu() - shape.milliCpu();
        double milli = Arrays.stream(PodShape.left(node.devices())).sum()
                - (double) shape.devices() * shape.milliOf(node.devices().device(0));
        return 1 - (cpu / largest.milliCpu() + Math.min(1, milli / (DEVICES_MAX * PodShape.DEVICE))) / 2;
    }
}
