package io.sluice.messages.vm;

import java.util.Objects;

/** The reply to {@link BindPod} and {@link TouchPod}. */
public sealed interface PodBinding {
    /**
     * The pod is bound.
     *
     * @param node the node that it is bound to, whoever bound it
     */
    record Bound(String node) implements PodBinding {
        public Bound {
            Objects.requireNonNull(node, "node");
        }
    }

    /** The pod is not bound, and no earlier bind can take effect any more. Only the reply to a touch. */
    record Unbound() implements PodBinding {}

    /** There is no pod with that uid any more, or it has ended. */
    record Gone() implements PodBinding {}

    /**
     * The Binding was certainly not created. Only the reply to a bind.
     *
     * @param reason in words
     */
    record Refused(String reason) implements PodBinding {
        public Refused {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /**
     * The Binding may have been created or may be created yet, or the pod could not be touched.
     *
     * @param reason in words
     */
    record InDoubt(String reason) implements PodBinding {
        public InDoubt {
            Objects.requireNonNull(reason, "reason");
        }
    }
}
