package io.sluice.messages.vm;

import java.util.Objects;

/** The reply to {@link EvictPod}. */
public sealed interface EvictReply {
    /** The pod is being deleted. */
    record Evicted() implements EvictReply {}

    /** There is no pod with that uid any more. */
    record Gone() implements EvictReply {}

    /**
     * A disruption budget does not allow it now.
     *
     * @param reason in words
     */
    record RefusedByBudget(String reason) implements EvictReply {
        public RefusedByBudget {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * It was refused otherwise, or it is unknown whether the pod is being deleted.
     *
     * @param reason in words
     */
    record Failed(String reason) implements EvictReply {
        public Failed {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
