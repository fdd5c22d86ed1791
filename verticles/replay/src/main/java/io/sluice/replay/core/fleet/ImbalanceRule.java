package io.sluice.replay.core.fleet;

import io.sluice.replay.core.fleet.Consolidation.Move;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The dynamic load balancer of Proxmox VE 9: while the imbalance of a cluster exceeds a threshold, it begins the
 * migration that lowers it most, if that lowers it by a margin. The imbalance is the coefficient of variation of the
 * nodes' loads, divided by the most that it can be. Here the load is CPU alone.
 */
final class ImbalanceRule implements MoveRule {
    /**
     * The values of the rule.
     *
     * @param threshold the imbalance above which VMs move
     * @param margin the least share of the imbalance that a move takes away
     * @param rounds how many moves a period has time for, one after the other
     * @param clusterNodes how many nodes are balanced together
     */
    record Values(double threshold, double margin, int rounds, int clusterNodes) {}

    private final Values values;

    ImbalanceRule(Values values) {
        this.values = values;
    }

    private record Best(FleetVm vm, FleetNode from, FleetNode target, double imbalance) {}

    @Override
    public List<Move> moves(List<FleetNode> nodes) {
        var moves = new ArrayList<Move>();
        for (int first = 0; first < nodes.size(); first += values.clusterNodes()) {
            var cluster = nodes.subList(first, Math.min(first + values.clusterNodes(), nodes.size()));
            moves.addAll(balanced(cluster));
        }
        return moves;
    }

    private List<Move> balanced(List<FleetNode> cluster) {
        var loads = new ExpectedLoads(cluster);
        for (int round = 0; round < values.rounds(); round++) {
            double imbalance = imbalance(sum(cluster, loads), squares(cluster, loads), cluster.size());
            var best = imbalance > values.threshold() ? best(cluster, loads) : Optional.<Best>empty();
            if (best.isEmpty() || best.get().imbalance() > imbalance * (1 - values.margin())) {
                break;
            }
            loads.move(best.get().vm(), best.get().from(), best.get().target());
        }
        return loads.moves();
    }

    private static double sum(List<FleetNode> cluster, ExpectedLoads loads) {
        return cluster.stream().mapToDouble(loads::share).sum();
    }

    private static double squares(List<FleetNode> cluster, ExpectedLoads loads) {
        return cluster.stream()
                .mapToDouble(node -> loads.share(node) * loads.share(node))
                .sum();
    }

    /** Of the sums of the loads and of their squares: 0 if all are equal, 1 if one node has all. */
    static double imbalance(double sum, double squares, int count) {
        if (count < 2 || sum <= 0) {
            return 0;
        }
        double mean = sum / count;
        return Math.sqrt(Math.max(0, squares / count - mean * mean)) / mean / Math.sqrt(count - 1);
    }

    /** Every VM is tried on every node. */
    private static Optional<Best> best(List<FleetNode> cluster, ExpectedLoads loads) {
        double sum = sum(cluster, loads);
        double squares = squares(cluster, loads);
        Best best = null;
        for (var from : cluster) {
            double before = loads.share(from);
            for (var vm : loads.staying(from)) {
                double left = before - vm.requested() / from.type().mips();
                for (var target : cluster) {
                    double there = loads.share(target);
                    double more = there + vm.requested() / target.type().mips();
                    double then = imbalance(
                            sum - before + left - there + more,
                            squares - before * before + left * left - there * there + more * more,
                            cluster.size());
                    if (target != from && (best == null || then < best.imbalance()) && loads.suits(vm, target)) {
                        best = new Best(vm, from, target, then);
                    }
                }
            }
        }
        return Optional.ofNullable(best);
    }
}
