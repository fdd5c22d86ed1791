package io.sluice.replay.core.fleet;

import io.sluice.replay.core.fleet.Consolidation.Move;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * The strategy {@code LowNodeUtilization} of Kubernetes' descheduler, as OpenShift's profile
 * {@code KubeVirtRelieveAndMigrate} has it: VMs leave nodes whose use is some way above the mean, in any order, as long
 * as others are below the mean. Where they go is decided by kube-scheduler: to the node with the least allocated, and
 * to those that are not overused first.
 */
final class DeviationRule implements MoveRule {
    /**
     * The values of the rule.
     *
     * @param above how far above the mean a node is overused
     * @param below how far below the mean a node is underused
     * @param nodeMoves how many VMs leave a node in a run
     * @param totalMoves how many VMs move in a run
     * @param runs how many runs a period has
     */
    record Values(double above, double below, int nodeMoves, int totalMoves, int runs) {}

    private final Values values;

    DeviationRule(Values values) {
        this.values = values;
    }

    @Override
    public List<Move> moves(List<FleetNode> nodes) {
        var loads = new ExpectedLoads(nodes);
        double mean = nodes.stream().mapToDouble(loads::share).average().orElse(0);
        for (int run = 0; run < values.runs(); run++) {
            run(nodes, loads, mean);
        }
        return loads.moves();
    }

    private void run(List<FleetNode> nodes, ExpectedLoads loads, double mean) {
        var over = nodes.stream()
                .filter(node -> loads.share(node) > mean + values.above())
                .sorted(Comparator.comparingDouble(loads::share).reversed())
                .toList();
        var under = nodes.stream().anyMatch(node -> loads.share(node) < mean - values.below());
        int left = under ? values.totalMoves() : 0;
        for (var node : over) {
            for (int moved = 0; moved < values.nodeMoves() && left > 0; moved++) {
                if (loads.share(node) <= mean + values.above() || !evict(node, nodes, loads, mean)) {
                    break;
                }
                left--;
            }
        }
    }

    private boolean evict(FleetNode node, List<FleetNode> nodes, ExpectedLoads loads, double mean) {
        for (var vm : loads.staying(node)) {
            var target = scheduled(vm, node, nodes, loads, mean);
            if (target.isPresent()) {
                loads.move(vm, node, target.get());
                return true;
            }
        }
        return false;
    }

    private Optional<FleetNode> scheduled(
            FleetVm vm, FleetNode from, List<FleetNode> nodes, ExpectedLoads loads, double mean) {
        return nodes.stream()
                .filter(node -> node != from && loads.suits(vm, node))
                .min(Comparator.comparing((FleetNode node) -> loads.share(node) > mean + values.above())
                        .thenComparingDouble(loads::allocated));
    }
}
