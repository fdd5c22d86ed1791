package io.sluice.pods.core;

import io.sluice.shell.pods.ScaledPod;
import java.util.Objects;

/** What a kubelet has decided about the spec of a pod, by the pod's status. */
public sealed interface KubeletDecision {
    /** Its status is of an older spec. */
    record Unseen() implements KubeletDecision {}

    /** It has allocated what the spec has; it may still be at work on it. */
    record Accepted() implements KubeletDecision {}

    /**
     * It has no room now, and tries again whenever it has, also after the permit has lapsed.
     *
     * @param reason in its words
     */
    record Deferred(String reason) implements KubeletDecision {
        public Deferred {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * It refuses the spec as long as the node is as it is.
     *
     * @param reason in its words
     */
    record Infeasible(String reason) implements KubeletDecision {
        public Infeasible {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** Reads the status of a pod. */
    static KubeletDecision of(ScaledPod pod) {
        if (!pod.isObserved()) {
            return new Unseen();
        }
        return pod.pending()
                .<KubeletDecision>map(pending ->
                        pending.infeasible() ? new Infeasible(pending.message()) : new Deferred(pending.message()))
                .orElseGet(() -> pod.isAccepted() ? new Accepted() : new Unseen());
    }
}
