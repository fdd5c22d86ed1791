package io.sluice.placement.core.devices;

import io.sluice.devices.GpuDemand;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.units.Resources;
import java.util.OptionalDouble;

/**
 * Scores nodes by how little a pod adds to the fragments of their GPUs, and nodes with the same score by best fit. Many
 * nodes have the same, since fragmentation counts in whole percents; which of them is taken then matters more than a
 * finer measure. A pod that wishes to be spread is scored by {@link DeviceFill}.
 *
 * @param typical the pods for which room counts as a fragment or not
 */
public record LeastFragments(TypicalPods typical) implements DeviceScore {
    /** A difference by fit is less than the smallest one by fragmentation. */
    private static final double BELOW_A_PERCENT = 0.0099;

    /** Room decides among nodes that are equal otherwise. */
    private static final double WEIGHT = 1_000_000;

    @Override
    public OptionalDouble score(GpuDemand demand, Resources charge, NodeSnapshot node, Resources largest) {
        if (DeviceFill.isSpread(demand)) {
            return DeviceFill.DEFAULT.score(demand, charge, node, largest);
        }
        if (!node.hasDevices()) {
            return OptionalDouble.empty();
        }
        var shape = PodShape.of(demand, charge);
        return OptionalDouble.of(
                new Fragmentation(typical).of(shape, node) + BELOW_A_PERCENT * new BestFit().of(shape, node, largest));
    }

    @Override
    public double weight(GpuDemand demand) {
        return DeviceFill.isSpread(demand) ? DeviceFill.DEFAULT.weight(demand) : WEIGHT;
    }

    @Override
    public boolean isFine(PodToPlace pod) {
        return !pod.pod().gpus().isNone() && !DeviceFill.isSpread(pod.pod().gpus());
    }

    @Override
    public double penalty() {
        return DeviceFill.DEFAULT.penalty();
    }
}
