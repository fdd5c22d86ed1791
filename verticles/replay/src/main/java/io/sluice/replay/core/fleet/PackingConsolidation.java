package io.sluice.replay.core.fleet;

import io.sluice.replay.core.fleet.Consolidation.Move;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which VMs move, with as few moves as it can. Only a node whose VMs request more than a watermark is relieved,
 * by the one VM that is enough, if there is one. VMs go to the fullest node that still has room by what they used
 * lately, so that no node is switched on while others have room; a node is emptied only if all of its VMs find room.
 */
final class PackingConsolidation implements MoveRule {
    /**
     * The values of the rule.
     *
     * @param watermark the requested share of a node above which a VM leaves
     * @param fill the expected share of a node up to which VMs are placed there
     * @param emptyBelow the expected share of a node below which it is emptied
     * @param recent how many measurements the expected use is taken from
     * @param margin how many deviations of them are added to their mean
     */
    record Values(double watermark, double fill, double emptyBelow, int recent, double margin) {}

    private final Values values;
    private final Map<FleetNode, Double> expected = new HashMap<>();

    PackingConsolidation(Values values) {
        this.values = values;
    }

    @Override
    public List<Move> moves(List<FleetNode> nodes) {
        expected.clear();
        nodes.forEach(node -> expected.put(
                node, node.vms().stream().mapToDouble(this::expected).sum()));
        var closed = new HashSet<FleetNode>();
        nodes.stream()
                .filter(node -> node.requestedShare() > values.watermark())
                .forEach(closed::add);
        var moves = new ArrayList<Move>();
        for (var node : nodes) {
            if (closed.contains(node)) {
                relieve(node, nodes, closed, moves);
            }
        }
        empty(nodes, closed, moves);
        return moves;
    }

    /** What a VM is expected to need: its present request, or more if it used more lately. */
    private double expected(FleetVm vm) {
        int count = Math.min(values.recent(), vm.measured());
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < count; i++) {
            sum += vm.measured(i);
            squares += vm.measured(i) * vm.measured(i);
        }
        double mean = count == 0 ? 0 : sum / count;
        double deviation = count == 0 ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean));
        return Math.max(vm.requested(), (mean + values.margin() * deviation) * vm.mips());
    }

    private void relieve(FleetNode node, List<FleetNode> nodes, Set<FleetNode> closed, List<Move> moves) {
        var left = new ArrayList<>(
                node.vms().stream().filter(vm -> !vm.migrating()).toList());
        double excess = node.requestedShare() * node.type().mips()
                - values.watermark() * node.type().mips();
        while (excess > 0 && !left.isEmpty()) {
            double needed = excess;
            var leaving = left.stream()
                    .filter(vm -> vm.requested() >= needed)
                    .min(Comparator.comparingInt(FleetVm::ramMegabytes).thenComparingDouble(FleetVm::requested))
                    .orElseGet(() -> left.stream()
                            .max(Comparator.comparingDouble(FleetVm::requested))
                            .orElseThrow());
            left.remove(leaving);
            excess -= leaving.requested();
            fullestWithRoom(leaving, nodes, closed)
                    .or(() -> cheapestOff(leaving, nodes, closed))
                    .ifPresent(target -> move(leaving, node, target, moves));
        }
    }

    private void move(FleetVm vm, FleetNode from, FleetNode target, List<Move> moves) {
        moves.add(new Move(vm, target));
        expected.merge(target, expected(vm), Double::sum);
        expected.merge(from, -expected(vm), Double::sum);
    }

    private Optional<FleetNode> fullestWithRoom(FleetVm vm, List<FleetNode> nodes, Set<FleetNode> closed) {
        return nodes.stream()
                .filter(node -> !closed.contains(node) && expected.get(node) > 0 && fits(vm, node))
                .max(Comparator.comparingDouble(
                        node -> expected.get(node) / node.type().mips()));
    }

    private Optional<FleetNode> cheapestOff(FleetVm vm, List<FleetNode> nodes, Set<FleetNode> closed) {
        return nodes.stream()
                .filter(node -> !closed.contains(node) && expected.get(node) == 0 && fits(vm, node))
                .min(Comparator.comparingDouble(
                        node -> node.type().power().at(1) / node.type().mips()));
    }

    private boolean fits(FleetVm vm, FleetNode node) {
        return node.type().coreMips() >= vm.requested()
                && expected.get(node) + expected(vm)
                        <= values.fill() * node.type().mips();
    }

    private void empty(List<FleetNode> nodes, Set<FleetNode> closed, List<Move> moves) {
        var targets = new HashSet<FleetNode>();
        moves.forEach(move -> targets.add(move.target()));
        var least = nodes.stream()
                .filter(node -> !closed.contains(node) && !targets.contains(node) && expected.get(node) > 0)
                .filter(node ->
                        expected.get(node) < values.emptyBelow() * node.type().mips())
                .sorted(Comparator.comparingDouble(
                        node -> expected.get(node) / node.type().mips()))
                .toList();
        for (var node : least) {
            if (!targets.contains(node)) {
                emptyOne(node, nodes, closed).forEach(found -> {
                    targets.add(found.target());
                    moves.add(found);
                });
            }
        }
    }

    /** The moves that leave nothing on a node; none if one of its VMs has no room elsewhere. */
    private List<Move> emptyOne(FleetNode node, List<FleetNode> nodes, Set<FleetNode> closed) {
        closed.add(node);
        var found = new ArrayList<Move>();
        var vms = new ArrayList<>(node.vms());
        vms.sort(Comparator.comparingDouble(FleetVm::requested).reversed());
        for (var vm : vms) {
            var target = fullestWithRoom(vm, nodes, closed);
            if (target.isEmpty()) {
                found.forEach(move -> move(move.vm(), move.target(), node, new ArrayList<>()));
                closed.remove(node);
                return List.of();
            }
            move(vm, node, target.get(), found);
        }
        return found;
    }
}
