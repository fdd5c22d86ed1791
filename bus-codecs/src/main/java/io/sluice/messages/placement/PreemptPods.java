package io.sluice.messages.placement;

import java.util.List;
import java.util.Objects;

/**
 * Asks on which of these nodes a pending pod would have room once some pods there are evicted.
 *
 * @param uid the pod's uid
 * @param candidates nodes, each with the pods that would be evicted
 */
public record PreemptPods(String uid, List<Candidate> candidates) {
    /**
     * A node.
     *
     * @param node its name
     * @param victims the uids of the pods that would be evicted there
     */
    public record Candidate(String node, List<String> victims) {
        public Candidate {
            Objects.requireNonNull(node, "node");
            victims = List.copyOf(victims);
        }
    }

    public PreemptPods {
        Objects.requireNonNull(uid, "uid");
        candidates = List.copyOf(candidates);
    }
}
