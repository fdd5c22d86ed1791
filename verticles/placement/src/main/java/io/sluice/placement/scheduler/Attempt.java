package io.sluice.placement.scheduler;

import io.sluice.messages.cluster.PodObserved;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.placement.core.rules.PendingPod;
import io.sluice.placement.core.spec.PodSpec;
import java.util.BitSet;
import java.util.Optional;
import java.util.UUID;

/** One attempt to place a pod: the nodes that have refused it, and the last refusal. */
record Attempt(PodSpec pod, PodObserved observed, PendingPod weighed, BitSet refused, String refusal) {
    /** What is to be performed; the target of a migration takes over the hold that is there. */
    PlacementAttempt on(String node, PodToPlace found) {
        Optional<String> id = observed.migrationTarget()
                ? Optional.empty()
                : Optional.of(UUID.randomUUID().toString());
        return new PlacementAttempt(found, node, id);
    }

    Attempt without(BitSet nodes, String reason) {
        return new Attempt(pod, observed, weighed, nodes, reason);
    }
}
