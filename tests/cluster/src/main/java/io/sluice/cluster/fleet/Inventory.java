package io.sluice.cluster.fleet;

import io.sluice.devices.GpuDemand;
import io.sluice.devices.GpuShare;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.units.Resources;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The pods and VMs as an API server stores them: agents and the workload change them, full lists read them. Each change
 * has a version above all earlier ones. Thread-safe.
 */
public final class Inventory {
    private static final int ENDED_MAX = 300;
    private static final int SLOW_PERIOD = 4;
    private static final int SLOW_PLACE = 2;
    private static final long SLOW_NANOS = 20_000_000_000L;

    private final Fleet fleet;
    private final boolean migratable;
    private final Vm[] vms;
    private final Map<String, PodObserved> pods = new LinkedHashMap<>();
    private final Set<Integer> resized = new LinkedHashSet<>();
    private final Deque<PodGone> ended = new ArrayDeque<>();
    private long version;

    /** @param migratable whether VMs may be migrated away from a full node */
    public Inventory(Fleet fleet, boolean migratable) {
        this.fleet = fleet;
        this.migratable = migratable;
        vms = new Vm[fleet.vms()];
        for (int vm = 0; vm < vms.length; vm++) {
            var pod = pod(fleet.podName(vm), fleet.firstNodeOf(vm), fleet.vmName(vm), Fleet.UNIT, "");
            pods.put(pod.uid(), pod);
            vms[vm] = new Vm(pod, Fleet.UNIT, Fleet.UNIT, version, System.nanoTime());
        }
    }

    /**
     * A VM and the pod in which it runs.
     *
     * @param used what it uses, or may use once a patch under way is applied
     * @param shown the size in its object
     * @param version version of its object
     * @param shownAt when the size in its object changed last
     */
    private record Vm(PodObserved pod, Resources used, Resources shown, long version, long shownAt) {}

    /** The version of a full list that begins now. */
    synchronized long list() {
        return ++version;
    }

    synchronized String podName(int vm) {
        return vms[vm].pod().name();
    }

    synchronized String podUid(int vm) {
        return vms[vm].pod().uid();
    }

    /** The VM in that pod; empty for a pod without a VM, and for the target of a migration under way. */
    synchronized OptionalInt vmIn(String podUid) {
        return IntStream.range(0, vms.length)
                .filter(vm -> vms[vm].pod().uid().equals(podUid))
                .findFirst();
    }

    synchronized List<PodObserved> podsOn(int node) {
        var name = fleet.nodeName(node);
        return pods.values().stream().filter(pod -> pod.node().equals(name)).toList();
    }

    synchronized List<VmObserved> vmsOn(int node) {
        var name = fleet.nodeName(node);
        return IntStream.range(0, vms.length)
                .filter(vm -> vms[vm].pod().node().equals(name))
                .mapToObj(this::observed)
                .toList();
    }

    /** A full list of the node as it is now. */
    synchronized LoadNode nodeList(int node) {
        return new LoadNode(fleet.nodeObserved(node), ++version, podsOn(node), vmsOn(node));
    }

    /** Patches a VM to another size. Its object shows that at once, or for some VMs much later. */
    synchronized void resized(int vm, Resources used) {
        var before = vms[vm];
        boolean slow = vm % SLOW_PERIOD == SLOW_PLACE;
        vms[vm] = new Vm(before.pod(), used, before.shown(), before.version(), before.shownAt());
        if (!slow || System.nanoTime() - before.shownAt() > SLOW_NANOS) {
            show(vm);
        }
    }

    /** Makes all objects show their patches. */
    synchronized void patched() {
        for (int vm = 0; vm < vms.length; vm++) {
            show(vm);
        }
    }

    private void show(int vm) {
        var before = vms[vm];
        if (!before.shown().equals(before.used())) {
            vms[vm] = new Vm(before.pod(), before.used(), before.used(), ++version, System.nanoTime());
            resized.add(vm);
        }
    }

    /** The VMs that were resized longest ago, each as it is now; they are then removed from the queue. */
    synchronized List<VmObserved> takeResized(int most) {
        var taken = new ArrayList<VmObserved>();
        for (Iterator<Integer> each = resized.iterator(); each.hasNext() && taken.size() < most; ) {
            taken.add(observed(each.next()));
            each.remove();
        }
        return taken;
    }

    /** Binds a pod that runs no VM. */
    synchronized PodObserved bound(String name, int node, Resources amounts) {
        return bound(name, node, amounts, List.of());
    }

    /** The same with GPUs. */
    synchronized PodObserved bound(String name, int node, Resources amounts, List<GpuShare> gpus) {
        return kept(pod(name, node, "", amounts, "").with(new GpuDemand(List.of(), gpus, "")));
    }

    /** Binds the target pod of a migration of the VM. */
    synchronized PodObserved target(int vm, String name, int node, String migration, Resources amounts) {
        return kept(pod(name, node, fleet.vmName(vm), amounts, migration));
    }

    /** Ends a pod, if it exists. */
    synchronized PodGone gone(String uid, int node) {
        pods.remove(uid);
        var gone = new PodGone(uid, fleet.nodeName(node), ++version);
        ended.add(gone);
        if (ended.size() > ENDED_MAX) {
            ended.remove();
        }
        return gone;
    }

    /** The pods that ended last. */
    synchronized List<PodGone> ended() {
        return List.copyOf(ended);
    }

    /** Ends a migration: the VM runs in the target now, which no longer has the migration's name. */
    synchronized void landed(int vm, PodObserved target) {
        var source = vms[vm].pod();
        var pod = kept(new PodObserved(
                target.uid(),
                target.namespace(),
                target.name(),
                target.node(),
                target.vmName(),
                ++version,
                target.amounts(),
                target.createdAtSeconds()));
        vms[vm] = new Vm(pod, vms[vm].used(), vms[vm].shown(), ++version, vms[vm].shownAt());
        pods.remove(source.uid());
    }

    /** The target pods of migrations under way. */
    synchronized List<PodObserved> targets() {
        return pods.values().stream().filter(PodObserved::migrationTarget).toList();
    }

    synchronized Optional<PodObserved> pod(String uid) {
        return Optional.ofNullable(pods.get(uid));
    }

    synchronized PodObserved podOf(int vm) {
        return vms[vm].pod();
    }

    synchronized VmObserved observed(int vm) {
        var entry = vms[vm];
        return fleet.vmObserved(vm, entry.version(), entry.pod(), entry.shown(), migratable);
    }

    private PodObserved pod(String name, int node, String vmName, Resources amounts, String migration) {
        return new PodObserved(
                name, Fleet.NAMESPACE, name, fleet.nodeName(node), vmName, ++version, amounts, 1, migration);
    }

    private PodObserved kept(PodObserved pod) {
        pods.put(pod.uid(), pod);
        return pod;
    }
}
