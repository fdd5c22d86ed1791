package io.sluice.pods.core;

import io.sluice.messages.pod.PodSampled;
import io.sluice.shell.pods.ScaledPod;
import java.util.Optional;

/**
 * Whether what the kernel reported of a pod's memory requires more of it. A limit that is reached, or a wait, may come
 * from files alone, which the kernel can drop: then the working set decides.
 */
public final class MemoryShortage {
    private MemoryShortage() {}

    /**
     * Whether more is required now.
     *
     * @param use the last sample of what is scaled; empty if there is none
     */
    public static boolean isShown(ScaledPod pod, PodSampled.Cause cause, Optional<ContainerUse> use) {
        return switch (cause) {
            case CPU_STALLED -> false;
            case OOM_KILLED -> true;
            case MEMORY_STALLED, MEMORY_LIMITED ->
                use.filter(last -> isNearLimit(pod, last.workingSetBytes())).isPresent();
        };
    }

    private static boolean isNearLimit(ScaledPod pod, long workingSet) {
        long limit = pod.limits().memoryBytes();
        return workingSet
                > (long) ((limit == 0 ? pod.requests().memoryBytes() : limit)
                        * (1 - pod.options().memoryHeadroom()));
    }
}
