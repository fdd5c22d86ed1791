package io.sluice.placement.core.devices;

import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.units.Resources;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Scores nodes by how little a pod adds to the fragments of their GPUs: fragmentation gradient descent, of Weng and
 * others, USENIX ATC 2023.
 *
 * @param typical the pods for which room counts as a fragment or not
 */
public record Fragmentation(TypicalPods typical) implements PlacementPlugin {
    private static final double PERCENTS = 100;

    @Override
    public OptionalDouble score(PodToPlace pod, NodeSnapshot node, Resources largest) {
        return OptionalDouble.of(of(pod, node));
    }

    /** In whole percents, as its authors count: a pod that adds a little is worse than one that adds nothing. */
    double of(PodToPlace pod, NodeSnapshot node) {
        var room = node.devices();
        var shape = PodShape.of(pod, room);
        var model = room.count() == 0 ? "" : room.device(0).model();
        var left = PodShape.left(room);
        long cpu = node.total().milliCpu() - node.reserved().milliCpu();
        double before = typical.fragments(cpu, left, model);
        long cpuAfter = cpu - shape.milliCpu();
        double after = shape.isShare()
                ? leastFragments(shape, cpuAfter, left, model)
                : typical.fragments(cpuAfter, without(shape, left), model);
        return Math.floor(PERCENTS / (1 + Math.exp((after - before) / PodShape.DEVICE))) / PERCENTS;
    }

    private double leastFragments(PodShape shape, long cpu, int[] left, String model) {
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < left.length; i++) {
            if (left[i] >= shape.milli()) {
                left[i] -= shape.milli();
                least = Math.min(least, typical.fragments(cpu, left, model));
                left[i] += shape.milli();
            }
        }
        return least;
    }

    /** What is left without the devices that have just enough. */
    private static int[] without(PodShape shape, int[] left) {
        var after = left.clone();
        Arrays.sort(after);
        int missing = shape.devices();
        for (int i = 0; i < after.length && missing > 0; i++) {
            if (after[i] >= shape.milli()) {
                after[i] -= shape.milli();
                missing--;
            }
        }
        return after;
    }
}
