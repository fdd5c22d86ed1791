package io.sluice.placement.core.devices;

import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.units.Resources;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Scores nodes by how little a pod adds to the fragments of their GPUs: fragmentation gradient descent, of Weng and
 * others, USENIX ATC 2023. The CPU that a pod takes may leave devices without any, so a pod without GPUs counts too; a
 * node without them has no score.
 *
 * @param typical the pods for which room counts as a fragment or not
 */
public record Fragmentation(TypicalPods typical) implements PlacementPlugin {
    private static final double PERCENTS = 100;

    @Override
    public OptionalDouble score(PodToPlace pod, NodeSnapshot node, Resources largest) {
        return node.hasDevices()
                ? OptionalDouble.of(of(PodShape.of(pod.pod().gpus(), pod.charge()), node))
                : OptionalDouble.empty();
    }

    /** In whole percents, as its authors count: a pod that adds a little is worse than one that adds nothing. */
    double of(PodShape shape, NodeSnapshot node) {
        var left = PodShape.left(node.devices());
        long cpu = node.total().milliCpu() - node.reserved().milliCpu();
        var device = node.devices().device(0);
        int milli = shape.milliOf(device);
        double before = typical.fragments(cpu, left, device);
        double after = Double.POSITIVE_INFINITY;
        if (shape.devices() == 1 && milli < PodShape.DEVICE) {
            for (int i = 0; i < left.length; i++) {
                if (left[i] >= milli) {
                    left[i] -= milli;
                    after = Math.min(after, typical.fragments(cpu - shape.milliCpu(), left, device));
                    left[i] += milli;
                }
            }
        } else {
            after = typical.fragments(cpu - shape.milliCpu(), without(shape.devices(), milli, left), device);
        }
        return Math.floor(PERCENTS / (1 + Math.exp((after - before) / PodShape.DEVICE))) / PERCENTS;
    }

    /** What is left without the devices that have just enough. */
    private static int[] without(int devices, int milli, int[] left) {
        var after = left.clone();
        Arrays.sort(after);
        int missing = devices;
        for (int i = 0; i < after.length && missing > 0; i++) {
            if (after[i] >= milli) {
                after[i] -= milli;
                missing--;
            }
        }
        return after;
    }
}
