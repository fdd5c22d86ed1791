package io.sluice.cluster.fleet;

import io.sluice.devices.GpuShare;
import io.sluice.shell.Quantities;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The sum of what each node has granted by the replies to agents and the workload: what VMs use or may use, holds, pods
 * and targets of migrations. It checks whether a correct ledger can have sent these replies. Not thread-safe, except
 * for {@link #takeWrongs}.
 */
public final class Truth {
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

    /** @param resized is called for each VM whose size has changed */
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

    /** Receives the size that a VM has now. */
    @FunctionalInterface
    interface Resized {
        void to(int vm, Resources now);
    }

    /**
     * Room on a node for something other than a VM that runs there.
     *
     * @param bound whether a pod was observed in it: a hold is lost with ledger state, a pod is not
     * @param gpus what the ledger chose for it
     */
    private record Reservation(Resources amount, boolean bound, List<GpuShare> gpus) {}

    /** What it uses, or may use by a permit. */
    Resources used(int vm) {
        return used[vm];
    }

    /** The node on which it runs. */
    int nodeOf(int vm) {
        return nodeOf[vm];
    }

    /** Number of permits that were checked. */
    public long answers() {
        return answers;
    }

    /** Lowers the use of a VM if the target is less: before its agent reports that. */
    void lower(int vm, Resources target) {
        use(vm, used[vm].min(target));
    }

    /** Records an event of a VM that may explain a later violation. */
    void record(int vm, String line) {
        long now = System.nanoTime();
        vms.get(vm).add(now, line);
        nodes.get(nodeOf[vm]).add(now, fleet.vmName(vm) + " " + line);
    }

    /** A permit arrived before it lapsed. */
    void permitted(int vm, Resources target, Resources permit, long requestedNanos) {
        answers++;
        var before = used[vm];
        checkFair(vm, before, target, permit);
        if (markedAt[vm] != null && requestedNanos - markedAt[vm] > 0 && permit.exceeds(before)) {
            wrong(vm, "it migrates, had %s and is permitted %s".formatted(text(before), text(permit)));
        }
        use(vm, before.max(permit));
        checkSum(nodeOf[vm], fleet.vmName(vm), vms.get(vm));
    }

    /**
     * Checks that a permit for more lies between what was used and what was requested, and that one for less is what
     * was requested.
     */
    void checkFair(int vm, Resources before, Resources target, Resources permit) {
        for (var kind : ResourceKind.values()) {
            check(vm, kind, before.of(kind), target.of(kind), permit.of(kind));
        }
    }

    private void check(int vm, ResourceKind kind, long before, long target, long permit) {
        boolean fair = target <= before ? permit == target : before <= permit && permit <= target;
        if (!fair) {
            wrong(vm, "%s: it had %d, requested %d and is permitted %d".formatted(kind, before, target, permit));
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

    /** The ledger replied that this room is held. */
    void held(int node, String name, Resources amount) {
        held(node, name, amount, List.of());
    }

    /** The same with GPUs that the ledger has chosen. */
    void held(int node, String name, Resources amount, List<GpuShare> gpus) {
        recordNode(node, name + " holds " + text(amount) + (gpus.isEmpty() ? "" : " and " + gpus));
        others.get(node).put(name, new Reservation(amount, false, gpus));
        add(node, amount);
        checkSum(node, name, new History(0, 0));
        gpus.forEach(share -> checkGpu(node, name, share.uuid()));
    }

    private void checkGpu(int node, String last, String uuid) {
        long sum = others.get(node).values().stream()
                .flatMap(other -> other.gpus().stream())
                .filter(share -> share.uuid().equals(uuid))
                .mapToLong(GpuShare::memoryMiB)
                .sum();
        if (sum > Fleet.GPU_MIB) {
            wrong(node, last, "of " + uuid + " " + sum + " MiB are promised", List.of());
        }
    }

    /** A pod was bound in the room that was held for it: every full list contains it from now on. */
    void bound(int node, String name) {
        others.get(node).computeIfPresent(name, (same, held) -> new Reservation(held.amount(), true, held.gpus()));
    }

    /** This room is not used any more, and the ledger may have observed that. */
    void free(int node, String name) {
        var gone = others.get(node).remove(name);
        if (gone != null) {
            recordNode(node, name + " is free");
            subtract(node, gone.amount());
        }
    }

    /** Its migration begins: no later request may be granted more. */
    void marked(int vm) {
        record(vm, "is marked as migrating");
        markedAt[vm] = System.nanoTime();
    }

    void unmarked(int vm) {
        record(vm, "is no longer marked as migrating");
        markedAt[vm] = null;
    }

    /** The VM runs in the room that was held for it on that node, and its old pod has ended. */
    void moved(int vm, int to, String name) {
        var room = others.get(to).get(name);
        if (room == null || used[vm].exceeds(room.amount())) {
            wrong(
                    vm,
                    "it migrates with " + text(used[vm]) + " into " + (room == null ? "nothing" : text(room.amount())));
        }
        record(vm, "leaves for " + fleet.nodeName(to));
        free(to, name);
        subtract(nodeOf[vm], used[vm]);
        nodeOf[vm] = to;
        add(to, used[vm]);
        record(vm, "has come");
        unmarked(vm);
    }

    /** From now on a ledger may have lost holds and migration marks. */
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

    private void recordNode(int node, String line) {
        nodes.get(node).add(System.nanoTime(), line);
    }

    /** Records a broken invariant. */
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

    /** Returns the broken invariants since the last call. Thread-safe. */
    public List<String> takeWrongs() {
        var taken = List.copyOf(wrongs);
        wrongs.removeAll(taken);
        return taken;
    }

    public boolean isClean() {
        return wrongs.isEmpty();
    }

    static String text(Resources amount) {
        return Quantities.text(amount);
    }
}
