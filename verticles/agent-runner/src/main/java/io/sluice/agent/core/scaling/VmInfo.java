package io.sluice.agent.core.scaling;

import io.sluice.agent.core.revision.ReachedRevision;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.units.Resources;
import java.util.Objects;
import java.util.Optional;

/**
 * The data of a VM's object. Memory is counted in whole slots: the remainder is cut off.
 *
 * @param min it is never desired to be smaller, whatever its load
 * @param max it is never desired to be larger, unless its monitor denies a downscale
 * @param using the size of its spec; a core takes it once, at its start, and keeps its own count from then
 * @param slotBytes memory comes in whole slots of this many bytes
 * @param overrides the overrides of the scaling config in the VM's annotation
 * @param currentRevision the last goal that its status shows as reached; empty until there was one
 * @param status the size that its status shows; empty while it shows none
 */
public record VmInfo(
        Resources min,
        Resources max,
        Resources using,
        long slotBytes,
        ScalingOverrides overrides,
        Optional<ReachedRevision> currentRevision,
        Optional<Resources> status) {
    public VmInfo {
        Objects.requireNonNull(overrides, "overrides");
        Objects.requireNonNull(currentRevision, "currentRevision");
        Objects.requireNonNull(status, "status");
        if (slotBytes < 1) {
            throw new IllegalArgumentException("a memory slot has at least one byte: " + slotBytes);
        }
        if (min.exceeds(max)) {
            throw new IllegalArgumentException("min " + min + " is above max " + max);
        }
        using = wholeSlots(using, slotBytes);
    }

    /** Whether its driver plugs whole CPUs only, as each does that plugs memory in slots. */
    boolean hasWholeCpus() {
        return slotBytes > 1;
    }

    VmInfo withUsing(Resources size) {
        return new VmInfo(min, max, size, slotBytes, overrides, currentRevision, status);
    }

    private static Resources wholeSlots(Resources size, long slotBytes) {
        return new Resources(size.milliCpu(), size.memoryBytes() / slotBytes * slotBytes);
    }
}
