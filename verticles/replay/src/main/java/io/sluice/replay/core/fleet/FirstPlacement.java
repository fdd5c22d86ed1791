package io.sluice.replay.core.fleet;

import java.util.List;
import java.util.Optional;

/** Places VMs before the day begins, each at its full size: by power, or on the first node with room. */
final class FirstPlacement {
    private final List<FleetNode> nodes;
    private final boolean byPower;
    private final double[] mips;
    private final int[] ram;

    FirstPlacement(List<FleetNode> nodes, boolean byPower) {
        this.nodes = nodes;
        this.byPower = byPower;
        this.mips = nodes.stream().mapToDouble(node -> node.type().mips()).toArray();
        this.ram = nodes.stream().mapToInt(node -> node.type().ramMegabytes()).toArray();
    }

    /** A VM that fits nowhere is left out of the day. */
    void place(List<FleetVm> vms) {
        for (var vm : vms) {
            target(vm).ifPresent(node -> {
                node.vms().add(vm);
                vm.on(node);
                mips[node.index()] -= vm.mips();
                ram[node.index()] -= vm.ramMegabytes();
            });
        }
    }

    private Optional<FleetNode> target(FleetVm vm) {
        FleetNode best = null;
        double least = Double.MAX_VALUE;
        for (var node : nodes) {
            var type = node.type();
            if (type.coreMips() >= vm.mips()
                    && mips[node.index()] >= vm.mips()
                    && ram[node.index()] >= vm.ramMegabytes()) {
                double taken = type.mips() - mips[node.index()] + vm.mips();
                double more = byPower
                        ? type.power().at(taken / type.mips()) - type.power().at(0)
                        : node.index();
                if (more < least) {
                    least = more;
                    best = node;
                }
            }
        }
        return Optional.ofNullable(best);
    }
}
