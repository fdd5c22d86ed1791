package io.sluice.pressure.core.migrations;

import java.util.Objects;

/** Where the target's pod is. */
public sealed interface TargetPlace {
    /** It was not observed on any node. */
    record Unseen() implements TargetPlace {}

    /**
     * It was observed; the ledger of its node may not show it yet.
     *
     * @param node its node
     * @param pod its uid
     */
    record Observed(String node, String pod) implements TargetPlace {
        public Observed {
            Objects.requireNonNull(node, "node");
            Objects.requireNonNull(pod, "pod");
        }
    }

    /**
     * The ledger of its node counts it.
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

    /** It was observed and has ended. */
    record Gone() implements TargetPlace {}
}
