package io.sluice.placement.core.devices;

import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.units.Resources;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Scores nodes by how little of their CPU and GPUs the pod leaves.
 *
 * @param devicesMax the most devices of a node
 */
public record BestFit(int devicesMax) implements PlacementPlugin {
    @Override
    public OptionalDouble score(PodToPlace pod, NodeSnapshot node, Resources largest) {
        return OptionalDouble.of(of(pod, node, largest));
    }

    double of(PodToPlace pod, NodeSnapshot node, Resources largest) {
        var shape = PodShape.of(pod, node.devices());
        double cpu = node.total().milliCpu() - node.reserved().milliCpu() - shape.milliCpu();
        double milli = Arrays.stream(PodShape.left(node.devices())).sum() - (double) shape.devices() * shape.milli();
        return 1 - (cpu / largest.milliCpu() + milli / (devicesMax * PodShape.DEVICE)) / 2;
    }
}
