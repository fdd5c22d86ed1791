package io.sluice.placement.core.devices;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The shapes of most pods of a cluster, with their frequency. What a node has left of its GPUs is a fragment for a pod
 * that it cannot take: all of it, or the devices with too little left where others have enough.
 *
 * <p>The measure is that of Weng and others, "Beware of Fragmentation", USENIX ATC 2023.
 */
public final class TypicalPods {
    /** The rarest shapes are left out: so much of all pods counts. */
    private static final double COUNTED = 0.95;

    private final List<PodShape> shapes;
    private final double[] frequencies;

    private TypicalPods(List<PodShape> shapes, double[] frequencies) {
        this.shapes = shapes;
        this.frequencies = frequencies;
    }

    /** The most frequent shapes of some pods. */
    public static TypicalPods of(Collection<PodShape> pods) {
        var counts = new HashMap<PodShape, Integer>();
        pods.forEach(pod -> counts.merge(pod, 1, Integer::sum));
        var sorted = new ArrayList<>(counts.entrySet());
        sorted.sort(Map.Entry.<PodShape, Integer>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey(Comparator.comparing(PodShape::toString))));
        var shapes = new ArrayList<PodShape>();
        int counted = 0;
        for (var entry : sorted) {
            if (counted < COUNTED * pods.size()) {
                shapes.add(entry.getKey());
                counted += entry.getValue();
            }
        }
        int all = counted;
        return new TypicalPods(
                shapes,
                shapes.stream()
                        .mapToDouble(shape -> (double) counts.get(shape) / all)
                        .toArray());
    }

    /**
     * The thousandths of devices that are fragments, weighed over all shapes.
     *
     * @param milliCpu what the node has left
     * @param left what each device has left, in thousandths
     * @param model of the devices
     */
    double fragments(long milliCpu, int[] left, String model) {
        int total = 0;
        for (int each : left) {
            total += each;
        }
        double sum = 0;
        for (int i = 0; i < frequencies.length; i++) {
            sum += frequencies[i] * fragments(shapes.get(i), milliCpu, left, total, model);
        }
        return sum;
    }

    private static int fragments(PodShape pod, long milliCpu, int[] left, int total, String model) {
        if (pod.devices() == 0 || milliCpu < pod.milliCpu() || !allows(pod, model)) {
            return total;
        }
        int enough = 0;
        int fragments = 0;
        for (int each : left) {
            if (each >= pod.milli()) {
                enough++;
            } else {
                fragments += each;
            }
        }
        return enough >= pod.devices() ? fragments : total;
    }

    private static boolean allows(PodShape pod, String model) {
        return pod.models().isEmpty() || pod.models().stream().anyMatch(model::contains);
    }
}
