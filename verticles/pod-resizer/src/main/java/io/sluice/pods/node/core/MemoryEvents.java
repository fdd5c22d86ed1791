package io.sluice.pods.node.core;

import io.sluice.messages.pod.PodSampled;
import java.util.Optional;

/**
 * How often the memory of a pod has met a limit, by its {@code memory.events}.
 *
 * @param limited times at which it reached {@code memory.high} or {@code memory.max}
 * @param killed processes that were killed
 */
public record MemoryEvents(long limited, long killed) {
    /** Those of a text. */
    public static MemoryEvents of(String text) {
        var counts = CgroupText.flat(text);
        return new MemoryEvents(
                counts.getOrDefault("high", 0L) + counts.getOrDefault("max", 0L), counts.getOrDefault("oom_kill", 0L));
    }

    /** What has happened since then; empty if nothing that counts. */
    public Optional<PodSampled.Cause> since(MemoryEvents before) {
        if (killed > before.killed) {
            return Optional.of(PodSampled.Cause.OOM_KILLED);
        }
        return limited > before.limited ? Optional.of(PodSampled.Cause.MEMORY_LIMITED) : Optional.empty();
    }
}
