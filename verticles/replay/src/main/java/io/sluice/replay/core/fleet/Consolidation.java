package io.sluice.replay.core.fleet;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides which VMs move: away from overloaded nodes, the smallest memory first, and away from the least used nodes
 * where all of a node's VMs find room elsewhere. Each goes where it raises the power least.
 */
final class Consolidation implements MoveRule {
    /** A migration to begin. */
    record Move(FleetVm vm, FleetNode target) {}

    private final OverloadRule rule;
    private List<FleetNode> nodes = List.of();

    Consolidation(OverloadRule rule) {
        this.rule = rule;
    }

    /** The nodes' lists are changed while moves are found, and restored. */
    @Override
    public List<Move> moves(List<FleetNode> all) {
        nodes = all;
        var overloaded = nodes.stream().filter(rule::isOverloaded).toList();
        var homes = new ArrayList<Move>();
        for (var node : nodes) {
            node.vms().stream()
                    .filter(vm -> !node.arriving().contains(vm))
                    .forEach(vm -> homes.add(new Move(vm, node)));
        }
        var leaving = leaving(overloaded);
        var moves = placed(leaving, new HashSet<>(overloaded), false);
        moves.addAll(emptying(overloaded));
        restore(homes);
        return moves;
    }

    private void restore(List<Move> homes) {
        for (var node : nodes) {
            node.vms().clear();
            node.vms().addAll(node.arriving());
        }
        for (var home : homes) {
            home.target().vms().add(home.vm());
            home.vm().on(home.target());
        }
    }

    private List<FleetVm> leaving(List<FleetNode> overloaded) {
        var leaving = new ArrayList<FleetVm>();
        for (var node : overloaded) {
            boolean over = true;
            while (over) {
                var smallest = node.vms().stream()
                        .filter(vm -> !vm.migrating())
                        .min(Comparator.comparingInt(FleetVm::ramMegabytes));
                smallest.ifPresent(vm -> {
                    leaving.add(vm);
                    node.vms().remove(vm);
                });
                over = smallest.isPresent() && rule.isOverloaded(node);
            }
        }
        return leaving;
    }

    /** Where the VMs go, those with most load first; if {@code all}, none goes unless each does. */
    private List<Move> placed(List<FleetVm> leaving, Set<FleetNode> excluded, boolean all) {
        var sorted = new ArrayList<>(leaving);
        sorted.sort(Comparator.comparingDouble(FleetVm::requested).reversed());
        var moves = new ArrayList<Move>();
        for (var vm : sorted) {
            var target = target(vm, excluded);
            target.ifPresent(node -> {
                node.vms().add(vm);
                moves.add(new Move(vm, node));
            });
            if (target.isEmpty() && all) {
                moves.forEach(move -> move.target().vms().remove(move.vm()));
                return new ArrayList<>();
            }
        }
        return moves;
    }

    private Optional<FleetNode> target(FleetVm vm, Set<FleetNode> excluded) {
        FleetNode best = null;
        double least = Double.MAX_VALUE;
        for (var node : nodes) {
            if (!excluded.contains(node) && node.suits(vm)) {
                double more = node.powerWith(vm) - node.power();
                if (more < least && (node.placedMips() == 0 || !isOverloadedWith(node, vm))) {
                    least = more;
                    best = node;
                }
            }
        }
        return Optional.ofNullable(best);
    }

    private boolean isOverloadedWith(FleetNode node, FleetVm vm) {
        node.vms().add(vm);
        boolean over = rule.isOverloaded(node);
        node.vms().remove(node.vms().size() - 1);
        return over;
    }

    private List<Move> emptying(List<FleetNode> overloaded) {
        var moves = new ArrayList<Move>();
        var excluded = new HashSet<>(overloaded);
        nodes.stream().filter(node -> node.share() == 0).forEach(excluded::add);
        var notTargets = new HashSet<>(excluded);
        for (var least = leastUsed(excluded); least.isPresent(); least = leastUsed(excluded)) {
            var node = least.get();
            excluded.add(node);
            notTargets.add(node);
            var leaving = node.vms().stream().filter(vm -> !vm.migrating()).toList();
            var found = placed(leaving, notTargets, true);
            found.forEach(move -> excluded.add(move.target()));
            moves.addAll(found);
        }
        return moves;
    }

    private Optional<FleetNode> leastUsed(Set<FleetNode> excluded) {
        FleetNode least = null;
        double share = 1;
        for (var node : nodes) {
            if (!excluded.contains(node) && node.share() > 0 && node.share() < share && !isChanging(node)) {
                share = node.share();
                least = node;
            }
        }
        return Optional.ofNullable(least);
    }

    /** Whether all of its VMs leave already. */
    private static boolean isChanging(FleetNode node) {
        return node.vms().stream().allMatch(FleetVm::migrating);
    }
}
