package io.sluice.bench.placement;

import io.sluice.placement.core.devices.PodShape;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.units.Resources;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Scores nodes by how little what they have left looks like the pod: the dot product of both, in CPU and GPUs.
 *
 * @param devicesMax the most devices of a node
 */
record DotProduct(int devicesMax) implements PlacementPlugin {
    @Override
    public OptionalDouble score(PodToPlace pod, NodeSnapshot node, Resources largest) {
        var shape = PodShape.of(pod.pod().gpus(), pod.charge());
        double cpu = node.total().milliCpu() - node.reserved().milliCpu();
        double most = (double) devicesMax * PodShape.DEVICE;
        double milli = Arrays.stream(PodShape.left(node.devices())).sum();
        double product = cpu / largest.milliCpu() * (shape.milliCpu() / (double) largest.milliCpu())
                + milli / most * (shape.devices() * shape.milliOf(node.devices().device(0)) / most);
        return OptionalDouble.of(1 - product / 2);
    }
}
