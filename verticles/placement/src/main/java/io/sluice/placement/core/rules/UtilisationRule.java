package io.sluice.placement.core.rules;

import io.sluice.messages.placement.NodeRanks.Obstacle;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.spec.PendingPod;
import io.sluice.shell.explain.PlacementReasons;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Excludes nodes that a pod would take beyond a threshold of use, and those of which nothing was measured lately. */
final class UtilisationRule implements SchedulingRule {
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
        reasons.add(byObstacle.getOrDefault(Obstacle.NOT_MEASURED, List.of()).size(), PlacementReasons.NOT_MEASURED);
        var over = byObstacle.getOrDefault(Obstacle.OVER_THRESHOLD, List.of());
        reasons.add(
                over.size(),
                PlacementReasons.thresholdText(PlacementReasons.least(
                        over.stream().map(PlacementPlugin.Misfit::keptFor).toList())));
    }
}
