package io.sluice.cluster;

import io.sluice.shell.Quantities;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What each node has promised by the answers that agents and the workload got: what VMs use or may use, holds, pods and
 * the targets of migrations; and whether a ledger that keeps its promises can have given these answers. Of one thread,
 * but for what went wrong.
 */
final class Truth {
    private static final int VM_LINES = 40;
    private static final int NODE_LINES = 120;
    private static final int WRONGS_MAX = 5;

    private final Fleet fleet;
    private final Resized resized;
    private final Resources[] used;
    private final int[] nodeOf;
    private final Long[] markedAt;
    private final Resources[] sums;
    private final List<Map<String, Reservation>> others = new ArrayList<>();
    private final List<History> vms = new ArrayList<>();
    private final List<History> nodes = new ArrayList<>();
    private final List<String> wrongs = new CopyOnWriteArrayList<>();
    private long answers;

    Truth(Fleet fleet) {
        this(fleet, (vm, now) -> {});
    }

    /** @param resized is told of each VM that has another size now */
    Truth(Fleet fleet, Resized resized) {
        this.fleet = fleet;
        this.resized = resized;
        long now = System.nanoTime();
        used = new Resources[fleet.vms()];
        nodeOf = new int[fleet.vms()];
        markedAt = new Long[fleet.vms()];
        sums = new Resources[fleet.nodes()];
        for (int node = 0; node < sums.length; node++) {
            sums[node] = Resources.NONE;
            others.add(new HashMap<>());
            nodes.add(new History(NODE_LINES, now));
        }
        for (int vm = 0; vm < used.length; vm++) {
            used[vm] = Fleet.UNIT;
            nodeOf[vm] = fleet.firstNodeOf(vm);
            add(nodeOf[vm], Fleet.UNIT);
            vms.add(new History(VM_LINES, now));
        }
    }

    /** Takes the size that a VM has now. */
    @FunctionalInterface
    interface Resized {
        void to(int vm, Resources now);
    }

    /**
     * Room on a node for something else than a VM that runs there.
     *
     * @param bound whether a pod was observed in it: a hold goes with ledger state that is lost, a pod does not
     */
    private record Reservation(Resources amount, boolean bound) {}

    /** What it uses, or may use by a permit. */
    Resources used(int vm) {
        return used[vm];
    }

    /** Where it runs. */
    int nodeOf(int vm) {
        return nodeOf[vm];
    }

    /** How many permits were looked at. */
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
        nodes.get(nodeOf[vm]).add(now, fleet.vmName(vm) + " " + line);
    }

    /** A permit came, in time to be used. */
    void permitted(int vm, Resources target, Resources permit, long askedNanos) {
        answers++;
        var before = used[vm];
        checkFair(vm, before, target, permit);
        if (markedAt[vm] != null && askedNanos - markedAt[vm] > 0 && permit.exceeds(before)) {
            wrong(vm, "it moves, had %s and is permitted %s".formatted(text(before), text(permit)));
        }
        use(vm, before.max(permit));
        checkSum(nodeOf[vm], fleet.vmName(vm), vms.get(vm));
    }

    /** One for more lies between what was used and what was asked, one for less is what was asked. */
    void checkFair(int vm, Resources before, Resources target, Resources permit) {
        for (var kind : ResourceKind.values()) {
            check(vm, kind, before.of(kind), target.of(kind), permit.of(kind));
        }
    }

    private void check(int vm, ResourceKind kind, long before, long target, long permit) {
        boolean fair = target <= before ? permit == target : before <= permit && permit <= target;
        if (!fair) {
            wrong(vm, "%s: it had %d, asked %d and is permitted %d".formatted(kind, before, target, permit));
        }
    }

    private void use(int vm, Resources now) {
        if (!now.equals(used[vm])) {
            subtract(nodeOf[vm], used[vm]);
            add(nodeOf[vm], now);
            used[vm] = now;
            resized.to(vm, now);
        }
    }

    /** The ledger answered that this room is held. */
    void held(int node, String name, Resources amount) {
        noteNode(node, name + " holds " + text(amount));
        others.get(node).put(name, new Reservation(amount, false));
        add(node, amount);
        checkSum(node, name, new History(0, 0));
    }

    /** A pod was bound in the room that was held for it: it is in every full list from now on. */
    void bound(int node, String name) {
        others.get(node).computeIfPresent(name, (same, held) -> new Reservation(held.amount(), true));
    }

    /** Nobody uses this room any more, and the ledger may know. */
    void free(int node, String name) {
        var gone = others.get(node).remove(name);
        if (gone != null) {
            noteNode(node, name + " is free");
            subtract(node, gone.amount());
        }
    }

    /** Its migration begins: no request from now on may be granted more. */
    void marked(int vm) {
        note(vm, "is marked as migrating");
        markedAt[vm] = System.nanoTime();
    }

    void unmarked(int vm) {
        note(vm, "is no longer marked as migrating");
        markedAt[vm] = null;
    }

    /** The VM runs in the room that was held for it on that node, and its old pod is gone. */
    void moved(int vm, int to, String name) {
        var room = others.get(to).get(name);
        if (room == null || used[vm].exceeds(room.amount())) {
            wrong(vm, "it moves with " + text(used[vm]) + " into " + (room == null ? "nothing" : text(room.amount())));
        }
        note(vm, "leaves for " + fleet.nodeName(to));
        free(to, name);
        subtract(nodeOf[vm], used[vm]);
        nodeOf[vm] = to;
        add(to, used[vm]);
        note(vm, "has come");
        unmarked(vm);
    }

    /** From now on no ledger may know of what was held, or of migrations. */
    void stateLost() {
        for (int node = 0; node < sums.length; node++) {
            for (var entry : List.copyOf(others.get(node).entrySet())) {
                if (!entry.getValue().bound()) {
                    free(node, entry.getKey());
                }
            }
        }
        for (int vm = 0; vm < markedAt.length; vm++) {
            markedAt[vm] = null;
        }
    }

    private void add(int node, Resources amount) {
        sums[node] = sums[node].plus(amount);
    }

    private void subtract(int node, Resources amount) {
        sums[node] = sums[node].minus(amount);
    }

    private void checkSum(int node, String last, History of) {
        if (sums[node].exceeds(fleet.total())) {
            var what = "the node has promised %s, and has %s".formatted(text(sums[node]), text(fleet.total()));
            wrong(node, last, what, of.lines());
        }
    }

    private void noteNode(int node, String line) {
        nodes.get(node).add(System.nanoTime(), line);
    }

    /** A promise was broken. */
    void wrong(int vm, String what) {
        wrong(nodeOf[vm], fleet.vmName(vm), what, vms.get(vm).lines());
    }

    private void wrong(int node, String name, String what, List<String> history) {
        if (wrongs.size() < WRONGS_MAX) {
            wrongs.add(name + " on " + fleet.nodeName(node) + ": " + what + "\n  its history:\n    "
                    + String.join("\n    ", history) + "\n  the node's history:\n    "
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
