package io.sluice.placement.core.rules;

import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.shell.explain.PlacementReasons;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Excludes nodes on which the ledger would hold nothing, has no room for the pod, or only room that is kept for another
 * pod of the same or a higher priority.
 */
final class LedgerRule implements SchedulingRule {
    @Override
    public void filter(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        nodes.and(cluster.ledger.complete());
        nodes.and(cluster.ledger.ready());
        cluster.ledger.keepWithRoom(pod.charge(), nodes);
        cluster.ledger.keepRoomOfOthers(pod, nodes);
    }

    @Override
    public void explain(PendingPod pod, ClusterTable cluster, BitSet removed, Reasons reasons) {
        int incomplete = 0;
        int notReady = 0;
        for (int node = removed.nextSetBit(0); node >= 0; node = removed.nextSetBit(node + 1)) {
            if (!cluster.ledger.complete().get(node)) {
                incomplete++;
            } else if (!cluster.ledger.ready().get(node)) {
                notReady++;
            } else {
                explainRoom(pod, cluster, node, reasons);
            }
        }
        reasons.add(incomplete, "without a complete ledger");
        reasons.add(notReady, "not ready");
    }

    private static void explainRoom(PendingPod pod, ClusterTable cluster, int node, Reasons reasons) {
        var kept = cluster.ledger.keptFrom(pod, node);
        var missing = cluster.ledger.reserved(node).plus(pod.charge()).minus(cluster.ledger.total(node));
        var shortBy = new HashMap<String, Long>();
        if (missing.milliCpu() > 0) {
            shortBy.put("cpu", missing.milliCpu());
        }
        if (missing.memoryBytes() > 0) {
            shortBy.put("memory", missing.memoryBytes());
        }
        if (shortBy.isEmpty() && kept.isPresent()) {
            reasons.add(1, PlacementReasons.keptText(kept.get().pod()));
        } else {
            reasons.addShort(" in the ledger", shortBy);
        }
    }

    /**
     * Excludes nodes that a pod would take beyond a threshold of use, and those of which nothing was measured lately.
     */
    static final class ByUse implements SchedulingRule {
        @Override
        public void filter(PendingPod pod, ClusterTable cluster, BitSet nodes) {
            if (cluster.ledger.excludesByUse()) {
                ((BitSet) nodes.clone())
                        .stream()
                                .filter(node -> misfit(pod, cluster, node).isPresent())
                                .forEach(nodes::clear);
            }
        }

        private static Optional<PlacementPlugin.Misfit> misfit(PendingPod pod, ClusterTable cluster, int node) {
            return cluster.ledger.misfitByUse(pod, node);
        }

        @Override
        public void explain(PendingPod pod, ClusterTable cluster, BitSet removed, Reasons reasons) {
            var byObstacle = removed.stream()
                    .mapToObj(node -> misfit(pod, cluster, node))
                    .flatMap(Optional::stream)
                    .collect(Collectors.groupingBy(PlacementPlugin.Misfit::obstacle));
            reasons.add(
                    byObstacle.getOrDefault(Obstacle.NOT_MEASURED, List.of()).size(), PlacementReasons.NOT_MEASURED);
            var over = byObstacle.getOrDefault(Obstacle.OVER_THRESHOLD, List.of());
            reasons.add(
                    over.size(),
                    PlacementReasons.thresholdText(PlacementReasons.least(
                            over.stream().map(PlacementPlugin.Misfit::keptFor).toList())));
        }
    }
}
