package io.sluice.placement.scheduler;

import io.sluice.messages.cluster.PodObserved;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import java.util.BitSet;
import java.util.Optional;
import java.util.UUID;

/**
 * One attempt to place a pod on the best of some nodes.
 *
 * @param refused the nodes that have refused it
 */
record Attempt(PendingPod weighed, PodObserved observed, BitSet refused) {
    Attempt(PodSpec pod, PodToPlace observed) {
        this(weighed(pod, observed), observed.pod(), new BitSet());
    }

    PodSpec pod() {
        return weighed.spec();
    }

    /** A pod by both of its observations. */
    static PendingPod weighed(PodSpec pod, PodToPlace observed) {
        return new PendingPod(pod, observed.charge(), observed.pod());
    }

    /** What is to be performed; the target of a migration takes over the hold that is there. */
    PlacementAttempt on(String node, PodToPlace found) {
        Optional<String> id = observed.migrationTarget()
                ? Optional.empty()
                : Optional.of(UUID.randomUUID().toString());
        return new PlacementAttempt(found, node, id);
    }

    /** The same, which one more node has refused. */
    Attempt without(int node) {
        var more = (BitSet) refused.clone();
        more.set(node);
        return new Attempt(weighed, observed, more);
    }
}
