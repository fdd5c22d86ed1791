package io.sluice.replay.core.fleet;

import io.sluice.replay.core.fleet.Consolidation.Move;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What nodes are loaded with once the moves that were chosen so far have ended; a VM moves once. */
final class ExpectedLoads {
    private final Map<FleetNode, Double> requested = new HashMap<>();
    private final Map<FleetNode, Double> allocated = new HashMap<>();
    private final Map<FleetNode, Integer> ramMegabytes = new HashMap<>();
    private final Map<FleetNode, List<FleetVm>> staying = new HashMap<>();
    private final List<Move> moves = new ArrayList<>();

    ExpectedLoads(List<FleetNode> nodes) {
        for (var node : nodes) {
            requested.put(
                    node, node.vms().stream().mapToDouble(FleetVm::requested).sum());
            allocated.put(node, node.vms().stream().mapToDouble(FleetVm::mips).sum());
            ramMegabytes.put(
                    node, node.vms().stream().mapToInt(FleetVm::ramMegabytes).sum());
            staying.put(
                    node,
                    new ArrayList<>(
                            node.vms().stream().filter(vm -> !vm.migrating()).toList()));
        }
    }

    /** The requested share of a node. */
    double share(FleetNode node) {
        return requested.get(node) / node.type().mips();
    }

    /** The share of a node that VMs have by their sizes, which is all that kube-scheduler counts. */
    double allocated(FleetNode node) {
        return allocated.get(node) / node.type().mips();
    }

    /** The VMs that could still leave. */
    List<FleetVm> staying(FleetNode node) {
        return staying.get(node);
    }

    /** Whether a core of the node is fast enough, and its memory is free. */
    boolean suits(FleetVm vm, FleetNode node) {
        return node.type().coreMips() >= vm.requested()
                && ramMegabytes.get(node) + vm.ramMegabytes() <= node.type().ramMegabytes();
    }

    void move(FleetVm vm, FleetNode from, FleetNode target) {
        moves.add(new Move(vm, target));
        staying.get(from).remove(vm);
        add(from, vm, -1);
        add(target, vm, 1);
    }

    private void add(FleetNode node, FleetVm vm, int sign) {
        requested.merge(node, sign * vm.requested(), Double::sum);
        allocated.merge(node, sign * vm.mips(), Double::sum);
        ramMegabytes.merge(node, sign * vm.ramMegabytes(), Integer::sum);
    }

    List<Move> moves() {
        return moves;
    }
}
