package io.sluice.placement.core.rules;

import io.sluice.placement.core.spec.PendingPod;
import io.sluice.shell.explain.PlacementReasons;
import java.util.BitSet;
import java.util.HashMap;

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
}
