package io.sluice.messages.worker;

import java.util.List;
import java.util.Objects;

/**
 * The reply to {@link ListInstancePods}.
 *
 * @param pods all of them
 * @param failure why they could not be read, in words; empty if they were
 */
public record InstancePods(List<Pod> pods, String failure) {
    /** How far a pod is. */
    public enum Phase {
        /** It does not run yet. */
        STARTING,
        RUNNING,
        /** Its deletion was requested. */
        ENDING,
        SUCCEEDED,
        FAILED
    }

    /**
     * One pod.
     *
     * @param node that it is bound to
     * @param instance the instance that it runs
     * @param generation of the instance's start
     * @param reason why it is in its phase, in words; empty if nothing says it
     * @param exitCode of its container; 0 while that runs
     */
    public record Pod(
            String name,
            String uid,
            String node,
            String instance,
            long generation,
            Phase phase,
            String reason,
            int exitCode) {
        public Pod {
            Objects.requireNonNull(name, "name");
            Objects.requireNonNull(uid, "uid");
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(instance, "instance");
            Objects.requireNonNull(phase, "phase");
            Objects.requireNonNull(reason, "reason");
        }

        /** Whether it has ended for good. */
        public boolean isOver() {
            return phase == Phase.SUCCEEDED || phase == Phase.FAILED;
        }
    }

    public InstancePods {
        pods = List.copyOf(pods);
        Objects.requireNonNull(failure, "failure");
    }
}
