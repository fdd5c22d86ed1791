package io.sluice.placement.core.devices;

import io.sluice.devices.Device;
import io.sluice.messages.cluster.PodObserved;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/**
 * The shapes of the pods that came last, with their frequency. What a node has left of its GPUs is a fragment for a pod
 * that it cannot take: all of it, or the devices with too little left where others have enough.
 *
 * <p>The measure is that of Weng and others, "Beware of Fragmentation", USENIX ATC 2023.
 */
public final class TypicalPods {
    /** So many pods are remembered. */
    private static final int PODS_MAX = 10_000;

    /** The rarest shapes are left out: so much of all pods counts. */
    private static final double COUNTED = 0.95;

    /** Frequencies are formed again once so many pods are new, of those that they were formed of. */
    private static final double NEW = 0.01;

    private final SequencedMap<String, PodShape> shapeOf = new LinkedHashMap<>();
    private final Map<PodShape, Integer> counts = new HashMap<>();
    private final Map<Kind, Weighed> weighed = new HashMap<>();
    private int changed;

    /** What the measure sees of a device besides its room. */
    private record Kind(String model, long memoryMiB, int core) {
        static Kind of(Device device) {
            return new Kind(device.model(), device.memoryMiB(), device.core());
        }
    }

    /**
     * The most frequent shapes, by what they take of devices of one kind; those that may have none take more than all.
     */
    private record Weighed(long[] milliCpu, int[] devices, int[] milli, double[] frequencies) {}

    /** Counts a pod, once. */
    public void came(PodObserved pod) {
        var shape = PodShape.of(pod.gpus(), pod.amounts());
        var before = shapeOf.put(pod.uid(), shape);
        if (shape.equals(before)) {
            return;
        }
        if (before != null) {
            forget(before);
        }
        counts.merge(shape, 1, Integer::sum);
        if (shapeOf.size() > PODS_MAX) {
            forget(shapeOf.pollFirstEntry().getValue());
        }
        changed++;
        if (changed > NEW * shapeOf.size()) {
            changed = 0;
            weighed.clear();
        }
    }

    private void forget(PodShape shape) {
        counts.computeIfPresent(shape, (key, count) -> count == 1 ? null : count - 1);
    }

    /**
     * The thousandths of devices that are fragments, weighed over all shapes. For a pod without GPUs all of them are.
     *
     * @param milliCpu what the node has left
     * @param left what each device has left, in thousandths
     * @param device one of them
     */
    double fragments(long milliCpu, int[] left, Device device) {
        var shapes = weighed.computeIfAbsent(Kind.of(device), kind -> weigh(device));
        int total = 0;
        for (int each : left) {
            total += each;
        }
        double sum = 0;
        for (int i = 0; i < shapes.frequencies.length; i++) {
            sum += shapes.frequencies[i]
                    * (milliCpu < shapes.milliCpu[i]
                            ? total
                            : fragments(shapes.devices[i], shapes.milli[i], left, total));
        }
        return sum;
    }

    private static int fragments(int devices, int milli, int[] left, int total) {
        int enough = 0;
        int fragments = 0;
        for (int each : left) {
            if (each >= milli) {
                enough++;
            } else {
                fragments += each;
            }
        }
        return devices > 0 && enough >= devices ? fragments : total;
    }

    private Weighed weigh(Device device) {
        var frequent = frequent();
        double all = frequent.stream().mapToInt(counts::get).sum();
        return new Weighed(
                frequent.stream().mapToLong(PodShape::milliCpu).toArray(),
                frequent.stream().mapToInt(PodShape::devices).toArray(),
                frequent.stream()
                        .mapToInt(
                                shape -> shape.selector().allows(device) ? shape.milliOf(device) : PodShape.DEVICE + 1)
                        .toArray(),
                frequent.stream().mapToDouble(shape -> counts.get(shape) / all).toArray());
    }

    private List<PodShape> frequent() {
        var sorted = new ArrayList<>(counts.entrySet());
        sorted.sort(Map.Entry.<PodShape, Integer>comparingByValue()
                .reversed()
                .thenComparing(Map.Entry.comparingByKey(Comparator.comparing(PodShape::toString))));
        var frequent = new ArrayList<PodShape>();
        int counted = 0;
        for (var entry : sorted) {
            if (counted < COUNTED * shapeOf.size()) {
                frequent.add(entry.getKey());
                counted += entry.getValue();
            }
        }
        return frequent;
    }
}
