package io.sluice.placement.core.rules;

import io.sluice.devices.DeviceMisfit;
import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.placement.core.devices.FreeDevices;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.placement.core.zones.AlignedZones;
import io.sluice.shell.explain.PlacementReasons;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Excludes nodes on which the ledger would hold nothing, has no room, GPU or NUMA zone for the pod, or only room that
 * is kept for another pod of the same or a higher priority.
 */
final class LedgerRule implements SchedulingRule {
    @Override
    public void filter(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        nodes.and(cluster.ledger.complete());
        nodes.and(cluster.ledger.ready());
        cluster.ledger.keepWithRoom(pod.charge(), nodes);
        cluster.ledger.keepRoomOfOthers(pod, nodes);
        if (!pod.gpus().isNone() || !pod.zones().isNone()) {
            nodes.andNot(withoutDevice(pod, cluster, nodes));
        }
    }

    @Override
    public void explain(PendingPod pod, ClusterTable cluster, BitSet removed, Reasons reasons) {
        int incomplete = 0;
        int notReady = 0;
        var devices = new ArrayList<DeviceMisfit>();
        for (int node = removed.nextSetBit(0); node >= 0; node = removed.nextSetBit(node + 1)) {
            if (!cluster.ledger.complete().get(node)) {
                incomplete++;
            } else if (!cluster.ledger.ready().get(node)) {
                notReady++;
            } else {
                var device = fits(pod, cluster, node) ? misfit(pod, cluster, node) : Optional.<DeviceMisfit>empty();
                if (device.isPresent()) {
                    devices.add(device.get());
                } else {
                    explainRoom(pod, cluster, node, reasons);
                }
            }
        }
        reasons.add(incomplete, "without a complete ledger");
        reasons.add(notReady, "not ready");
        explainDevices(devices, reasons);
    }

    private static BitSet withoutDevice(PendingPod pod, ClusterTable cluster, BitSet nodes) {
        var without = new BitSet();
        nodes.stream().filter(node -> misfit(pod, cluster, node).isPresent()).forEach(without::set);
        return without;
    }

    private static boolean fits(PendingPod pod, ClusterTable cluster, int node) {
        var wanted = cluster.ledger.reserved(node).plus(pod.charge());
        return !wanted.exceeds(cluster.ledger.total(node))
                && cluster.ledger.keptFrom(pod, node).isEmpty();
    }

    /** Nodes without a GPU or a zone for the same cause have one reason. */
    private static void explainDevices(List<DeviceMisfit> devices, Reasons reasons) {
        var counts = new EnumMap<DeviceMisfit.Cause, Integer>(DeviceMisfit.Cause.class);
        var closest = new EnumMap<DeviceMisfit.Cause, DeviceMisfit>(DeviceMisfit.Cause.class);
        devices.forEach(misfit -> {
            counts.merge(misfit.cause(), 1, Integer::sum);
            closest.merge(misfit.cause(), misfit, DeviceMisfit::closer);
        });
        counts.forEach((cause, nodes) -> reasons.add(nodes, PlacementReasons.deviceText(closest.get(cause))));
    }

    private static Optional<DeviceMisfit> misfit(PendingPod pod, ClusterTable cluster, int node) {
        return cluster.ledger
                .sums(node)
                .flatMap(sums -> FreeDevices.misfit(pod.gpus(), pod.zones(), sums)
                        .or(() -> AlignedZones.misfit(pod.zones(), sums)));
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
