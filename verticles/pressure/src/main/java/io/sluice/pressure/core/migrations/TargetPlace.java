package io.sluice.pressure.core.migrations;

import java.util.Objects;

/** Where the pod is that a VM is moved to. */
public sealed interface TargetPlace {
    /** It was not seen on any node. */
    record Unseen() implements TargetPlace {}

    /**
     * It was seen; the books of its node may not show it yet.
     *
     * @param node its node
     * @param pod its uid
     * @param roomHeld whether its room was held there
     */
    record Observed(String node, String pod, boolean roomHeld) implements TargetPlace {
        public Observed {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(pod, "pod");
        }
    }

    /**
     * The books of its node count it.
     *
     * @param node its node
     * @param pod its uid
     */
    record Counted(String node, String pod) implements TargetPlace {
        public Counted {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(pod, "pod");
        }
    }

    /** It was seen and is gone. */
    record Gone() implements TargetPlace {}
}
