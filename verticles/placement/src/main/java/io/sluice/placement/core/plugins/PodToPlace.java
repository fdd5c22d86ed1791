package io.sluice.placement.core.plugins;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.placement.NodeRanks.NodeRank;
import io.sluice.messages.placement.PendingPodList.PendingPod;
import io.sluice.messages.vm.TouchPod;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A pod that waits for a node.
 *
 * @param pod its last observation
 * @param overcommit of its VM; {@link Overcommit#OFF} for a pod without one
 * @param charge what it would add to a node's reservations
 */
public record PodToPlace(PodObserved pod, Overcommit overcommit, Resources charge) {
    public PodToPlace {
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(overcommit, "overcommit");
        Objects.requireNonNull(charge, "charge");
    }

    /** A pod with the charge that follows from both. */
    public PodToPlace(PodObserved pod, Overcommit overcommit) {
        this(pod, overcommit, overcommit.charge(pod.amounts()));
    }

    /**
     * The node on which room is held for the migration that brings the pod; empty where there is none.
     *
     * @param ledgers those of all nodes on which room is held
     */
    public Optional<String> roomOfMigration(List<NodeLedgerView> ledgers) {
        var holder = HoldRoom.forMigration(pod.namespace(), pod.migration());
        return ledgers.stream()
                .filter(ledger -> pod.migrationTarget()
                        && ledger.reservations().stream()
                                .anyMatch(reservation -> reservation.pod().equals(holder)))
                .map(NodeLedgerView::node)
                .findFirst();
    }

    /** The request that ends earlier binds of it, and makes its scheduler try it again. */
    public TouchPod touch() {
        return new TouchPod(pod.uid(), pod.namespace(), pod.name());
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
                charge,
                nodes);
    }
}
