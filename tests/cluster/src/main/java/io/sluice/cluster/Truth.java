package io.sluice.cluster;

import io.sluice.shell.Quantities;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What each VM uses or may use by the answers that its agent got, and whether a ledger that keeps its promises can have
 * given them. Of one thread, but for what went wrong.
 */
final class Truth {
    private static final int VM_LINES = 40;
    private static final int NODE_LINES = 120;
    private static final int WRONGS_MAX = 5;

    private final Fleet fleet;
    private final Resources[] used;
    private final Resources[] sums;
    private final List<History> vms = new ArrayList<>();
    private final List<History> nodes = new ArrayList<>();
    private final List<String> wrongs = new CopyOnWriteArrayList<>();
    private long answers;

    Truth(Fleet fleet) {
        this.fleet = fleet;
        long now = System.nanoTime();
        used = new Resources[fleet.vms()];
        sums = new Resources[fleet.nodes()];
        for (int vm = 0; vm < used.length; vm++) {
            used[vm] = Fleet.UNIT;
            vms.add(new History(VM_LINES, now));
        }
        for (int node = 0; node < sums.length; node++) {
            sums[node] = Fleet.UNIT.times(fleet.vmsPerNode());
            nodes.add(new History(NODE_LINES, now));
        }
    }

    /** What it uses, or may use by a permit. */
    Resources used(int vm) {
        return used[vm];
    }

    /** How many answers were looked at. */
    long answers() {
        return answers;
    }

    /** A VM was made smaller where the target is less: before its agent says so. */
    void lower(int vm, Resources target) {
        use(vm, used[vm].min(target));
    }

    /** Something happened to a VM that may explain what goes wrong later. */
    void note(int vm, String line) {
        long now = System.nanoTime();
        vms.get(vm).add(now, line);
        nodes.get(fleet.nodeOf(vm)).add(now, fleet.podName(vm) + " " + line);
    }

    /** A permit came, in time to be used. */
    void permitted(int vm, Resources target, Resources permit) {
        answers++;
        var before = used[vm];
        for (var kind : ResourceKind.values()) {
            check(vm, kind, before.of(kind), target.of(kind), permit.of(kind));
        }
        use(vm, before.max(permit));
        int node = fleet.nodeOf(vm);
        if (sums[node].exceeds(fleet.total())) {
            wrong(
                    vm,
                    "the VMs of %s use or may use %s, and it has %s"
                            .formatted(fleet.nodeName(node), text(sums[node]), text(fleet.total())));
        }
    }

    private void check(int vm, ResourceKind kind, long before, long target, long permit) {
        boolean fair = target <= before ? permit == target : before <= permit && permit <= target;
        if (!fair) {
            wrong(vm, "%s: it had %d, asked %d and is permitted %d".formatted(kind, before, target, permit));
        }
    }

    private void use(int vm, Resources now) {
        int node = fleet.nodeOf(vm);
        sums[node] = sums[node].minus(used[vm]).plus(now);
        used[vm] = now;
    }

    /** A promise was broken. */
    void wrong(int vm, String what) {
        int node = fleet.nodeOf(vm);
        if (wrongs.size() < WRONGS_MAX) {
            wrongs.add(fleet.podName(vm) + " on " + fleet.nodeName(node) + ": " + what + "\n  the VM's history:\n    "
                    + String.join("\n    ", vms.get(vm).lines()) + "\n  the node's history:\n    "
                    + String.join("\n    ", nodes.get(node).lines()));
        }
    }

    /** What went wrong since this was asked last. Safe from any thread. */
    List<String> takeWrongs() {
        var taken = List.copyOf(wrongs);
        wrongs.removeAll(taken);
        return taken;
    }

    boolean isClean() {
        return wrongs.isEmpty();
    }

    static String text(Resources amount) {
        return Quantities.text(amount);
    }
}
