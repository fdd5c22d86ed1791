package io.sluice.messages.pod;

import io.sluice.units.VmId;
import java.util.List;
import java.util.Objects;

/**
 * The kernel reported that a pod lacks something, and its control groups were read twice, a moment apart.
 *
 * @param vm the pod
 * @param cause what the kernel reported
 * @param first when it was reported
 * @param last what was read a moment later
 */
public record PodSampled(VmId vm, Cause cause, Moment first, Moment last) {
    /** What the kernel reported. */
    public enum Cause {
        /** Some of its tasks waited for a CPU. */
        CPU_STALLED,
        /** Some of its tasks waited for memory. */
        MEMORY_STALLED,
        /** Its memory reached a limit, and something was taken from it. */
        MEMORY_LIMITED,
        /** One of its processes was killed for want of memory. */
        OOM_KILLED
    }

    /**
     * What its containers have used at one time.
     *
     * @param at by the clock of the node, in milliseconds since 1970
     * @param containers those that run
     */
    public record Moment(long at, List<Container> containers) {
        public Moment {
            containers = List.copyOf(containers);
        }
    }

    /**
     * What one container has used since its start.
     *
     * @param name as in its pod
     * @param cpuMicros CPU time
     * @param workingSetBytes memory that cannot be taken from it
     * @param stalledMicros time in which some of its tasks waited for a CPU
     * @param periods periods of its CPU limit
     * @param throttled those of them in which it was throttled
     */
    public record Container(
            String name, long cpuMicros, long workingSetBytes, long stalledMicros, long periods, long throttled) {
        public Container {
            Objects.requireNonNull(name, "name");
        }
    }

    public PodSampled {
        Objects.requireNonNull(vm, "vm");
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(first, "first");
        Objects.requireNonNull(last, "last");
    }
}
