package io.sluice.replay.core.fleet;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A node of the fleet. A VM that leaves loses a tenth of its CPU while it is copied; where it arrives it takes a tenth
 * until then. When all request more than there is, each gets its share of it.
 */
final class FleetNode {
    private static final double WHILE_LEAVING = 0.9;
    private static final double WHILE_ARRIVING = 0.1;

    private final int index;
    private final NodeType type;
    private final List<FleetVm> vms = new ArrayList<>();
    private final List<FleetVm> arriving = new ArrayList<>();
    private double used;
    private double usedBefore;
    private double entryAt = -1;
    private double entryUsed;
    private double entryRequested;
    private boolean wasOn = true;
    private double onSeconds;
    private double shortSeconds;
    private int shutdowns;

    FleetNode(int index, NodeType type) {
        this.index = index;
        this.type = type;
    }

    int index() {
        return index;
    }

    NodeType type() {
        return type;
    }

    /** The VMs that run here, and those that arrive. */
    List<FleetVm> vms() {
        return vms;
    }

    List<FleetVm> arriving() {
        return arriving;
    }

    /** Time passes for the VMs, and CPU is shared anew. */
    void update(double time) {
        vms.forEach(vm -> vm.advance(time));
        usedBefore = used;
        used = 0;
        double requested = 0;
        double scale = scale();
        for (var vm : vms) {
            boolean arrives = arriving.contains(vm);
            double allocated = allocated(vm, arrives, scale);
            if (!arrives) {
                vm.enter(time, allocated, vm.migrating());
                if (vm.migrating()) {
                    allocated /= WHILE_LEAVING;
                }
            }
            used += allocated;
            requested += vm.requested();
        }
        enter(time, requested);
    }

    /** By how much each is cut; 1 while there is enough. */
    private double scale() {
        double needed = needed();
        return needed > type.mips() ? type.mips() / needed : 1;
    }

    private double needed() {
        double needed = 0;
        for (var vm : vms) {
            double capped = Math.min(vm.requested(), type.coreMips());
            needed += arriving.contains(vm) ? capped * WHILE_ARRIVING : capped;
        }
        return needed;
    }

    private double allocated(FleetVm vm, boolean arrives, double scale) {
        double share = arrives ? WHILE_ARRIVING : vm.migrating() ? WHILE_LEAVING : 1;
        double capped = Math.min(vm.requested(), type.coreMips());
        return scale == 1 ? capped * share : Math.floor(capped * scale * share);
    }

    /** A later entry of the same instant takes the place of an earlier one. */
    private void enter(double time, double requested) {
        if (entryAt != time) {
            closeEntry(time);
        }
        entryAt = time;
        entryUsed = used;
        entryRequested = requested;
    }

    private void closeEntry(double until) {
        if (entryAt < 0) {
            return;
        }
        boolean on = entryUsed > 0;
        shutdowns += wasOn && !on ? 1 : 0;
        wasOn = on;
        if (on) {
            onSeconds += until - entryAt;
            shortSeconds += entryUsed < entryRequested ? until - entryAt : 0;
        }
    }

    /** The last entry counts for shutdowns, and has no length. */
    void end() {
        closeEntry(entryAt);
    }

    /** Whether a VM fits: a core is fast enough, and its request is free. */
    boolean suits(FleetVm vm) {
        return type.coreMips() >= vm.requested() && Math.max(0, type.mips() - needed()) >= vm.requested();
    }

    /** The power with one more VM, beside those that were placed here since the last update. */
    double powerWith(FleetVm vm) {
        return type.power().at((placedMips() + vm.requested()) / type.mips());
    }

    /** What the VMs here take now; one that arrives counts in full, not with its tenth. */
    double placedMips() {
        double mips = 0;
        double scale = scale();
        for (var vm : vms) {
            boolean arrives = arriving.contains(vm);
            double allocated = allocated(vm, arrives, scale);
            mips += arrives ? allocated / WHILE_ARRIVING : allocated;
        }
        return mips;
    }

    double power() {
        return type.power().at(share());
    }

    double share() {
        return share(used);
    }

    double shareBefore() {
        return share(usedBefore);
    }

    private double share(double mips) {
        double share = mips / type.mips();
        return share > 1 && share < 1.01 ? 1 : share;
    }

    /** What all VMs request, as a share of the node. */
    double requestedShare() {
        double requested = 0;
        for (var vm : vms) {
            requested += vm.requested();
        }
        return requested / type.mips();
    }

    double onSeconds() {
        return onSeconds;
    }

    double shortSeconds() {
        return shortSeconds;
    }

    int shutdowns() {
        return shutdowns;
    }

    /** The measured use of the VMs that are here now, the latest first; without the zeros at the end. */
    double[] history() {
        var sums = new double[FleetVm.HISTORY];
        for (var vm : vms) {
            for (int i = 0; i < vm.measured(); i++) {
                sums[i] += vm.measured(i) * vm.mips() / type.mips();
            }
        }
        int length = sums.length;
        while (length > 1 && sums[length - 1] == 0) {
            length--;
        }
        return Arrays.copyOf(sums, length);
    }
}
