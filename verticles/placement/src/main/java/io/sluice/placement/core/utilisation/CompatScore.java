package io.sluice.placement.core.utilisation;

import java.util.Map;

/**
 * The score of Alnair's UtilSched as it was coded, for comparisons: it counts full GPUs, and a pod's CPU that is equal
 * on every node.
 */
final class CompatScore {
    private static final Map<String, Integer> WEIGHTS = Map.of("Tesla K80", 6, "TITAN X (Pascal)", 7, "V100", 10);
    private static final int OF_NODE = 5;
    private static final int OF_FULL_DEVICES = 10;
    private static final int OF_POD = 3;
    private static final int SCALE = 12;
    private static final int MIB_PER_GIB = 1024;
    private static final int MAX = 100;

    private CompatScore() {}

    static long raw(ExpectedUse pod, NodeLoad node) {
        long basic = 0;
        long full = 0;
        if (!node.devices().isEmpty()) {
            var first = node.devices().getFirst();
            basic = first.memoryMib()
                    / MIB_PER_GIB
                    * WEIGHTS.getOrDefault(first.model(), 0)
                    * node.devices().size()
                    / SCALE;
            full = node.devices().stream().filter(DeviceUse::isFull).count();
        }
        return OF_NODE * basic
                + OF_FULL_DEVICES * full
                + OF_POD * Math.max(1, pod.host().milliCpu());
    }

    /** All have the highest score where they are equal. */
    static int scaled(long raw, long lowest, long highest) {
        return lowest == highest ? MAX : (int) (MAX * (raw - lowest) / (highest - lowest));
    }
}
