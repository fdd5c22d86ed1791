package io.sluice.placement.core.plugins;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.placement.PendingPodList.PendingPod;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;

/**
 * A pod that waits for a node.
 *
 * @param pod its last observation
 * @param overcommit of its VM; {@link Overcommit#OFF} for a pod without one
 */
public record PodToPlace(PodObserved pod, Overcommit overcommit) {
    public PodToPlace {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(overcommit, "overcommit");
    }

    /** What it would add to a node's reservations. */
    public Resources charge() {
        return overcommit.charge(pod.amounts());
    }

    /** It as others see it, with the ranks of nodes for it. */
    public PendingPod listed(List<NodeRank> nodes) {
        return new PendingPod(
                pod.uid(),
                pod.namespace(),
                pod.name(),
                pod.vmName(),
                pod.createdAtSeconds(),
                pod.amounts(),
                charge(),
                nodes);
    }
}
