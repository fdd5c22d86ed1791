package io.sluice.neonvm.core;

import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.units.Resources;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * At what the pods count that VMs are being moved to: their own amounts may still be those of a VM that has not
 * arrived, so each has a floor, which never falls as long as the pod is a target.
 */
final class TargetPods {
    private final ObjectIndex<PodObserved> pods;
    private final ObjectIndex<VmObserved> vms;
    private final ObjectIndex<MigrationObserved> migrations;
    private final NameIndex joins;
    private final Set<String> awaited = new HashSet<>();
    private final Set<String> ofStrangers = new HashSet<>();
    private final Map<String, Resources> floors = new HashMap<>();

    TargetPods(
            ObjectIndex<PodObserved> pods,
            ObjectIndex<VmObserved> vms,
            ObjectIndex<MigrationObserved> migrations,
            NameIndex joins) {
        this.pods = pods;
        this.vms = vms;
        this.migrations = migrations;
        this.joins = joins;
    }

    /** Whether nobody knows yet at what the pod counts. */
    boolean isAwaited(String uid) {
        return awaited.contains(uid) || ofStrangers.contains(uid);
    }

    /**
     * Sees to it that a target has a floor, or that somebody is asked for it. That of a VM that was not heard of yet
     * waits for it, or for a listing: its own amounts might be less than its VM has. One whose migration was not heard
     * of yet waits as well, as nobody knows yet for what its VM is to be marked.
     *
     * @param listed whether a listing that held the pod went through: it held every migration, too
     */
    Optional<ReservationLookup> noticed(PodObserved pod, boolean listed) {
        if (!pod.migrationTarget()) {
            forget(pod.uid());
            return Optional.empty();
        }
        if (awaited.contains(pod.uid()) || floors.containsKey(pod.uid())) {
            return Optional.empty();
        }
        if (!listed && (vm(pod).isEmpty() || migration(pod).isEmpty())) {
            ofStrangers.add(pod.uid());
            return Optional.empty();
        }
        ofStrangers.remove(pod.uid());
        var question = question(pod);
        if (question.isPresent()) {
            awaited.add(pod.uid());
        } else {
            decide(pod, Optional.empty());
        }
        return question;
    }

    /** @param reserved what the VM has reserved where it leaves; without it, its maximum stands in */
    void decide(PodObserved pod, Optional<Resources> reserved) {
        awaited.remove(pod.uid());
        ofStrangers.remove(pod.uid());
        floors.put(pod.uid(), reserved.map(inUse(pod)::max).orElseGet(() -> maximum(pod)));
    }

    /**
     * Decides, without an answer, on the targets of a VM of which a pod has ended: was that the one that it left, then
     * it counts nowhere else any more.
     */
    List<PodObserved> unanswerable(PodObserved ended) {
        var undecided = Stream.concat(awaited.stream(), ofStrangers.stream());
        return atMaximum(undecided, ended.namespace(), ended.vmName());
    }

    /**
     * Decides on the targets of a VM that was not heard of when they were, though their migrations were; and on the one
     * that it runs in, whatever was heard.
     */
    List<PodObserved> introduced(VmObserved vm) {
        var named = ofStrangers.stream()
                .filter(uid -> pods.get(uid)
                        .filter(pod -> pod.name().equals(vm.podName())
                                || migration(pod).isPresent())
                        .isPresent());
        return atMaximum(named, vm.vm().namespace(), vm.vm().name());
    }

    /** The targets that waited for this migration to be heard of. */
    List<PodObserved> introduced(MigrationObserved migration) {
        return ofStrangers.stream()
                .flatMap(uid -> pods.get(uid).stream())
                .filter(pod -> isOf(migration, pod))
                .toList();
    }

    private List<PodObserved> atMaximum(Stream<String> uids, String namespace, String vmName) {
        var decided = uids.flatMap(uid -> pods.get(uid).stream())
                .filter(pod -> pod.namespace().equals(namespace) && pod.vmName().equals(vmName))
                .toList();
        decided.forEach(pod -> decide(pod, Optional.empty()));
        return decided;
    }

    /** Tells whether a target that was decided counts at more from now on. */
    boolean raised(PodObserved pod, Resources least) {
        var floor = floors.get(pod.uid());
        if (floor == null || !least.exceeds(floor.max(pod.amounts()))) {
            return false;
        }
        floors.put(pod.uid(), floor.max(least));
        return true;
    }

    /** Raises the targets whose VMs have become larger on their way, and answers them. */
    List<PodObserved> grown() {
        return List.copyOf(floors.keySet()).stream()
                .flatMap(uid -> pods.get(uid).stream())
                .filter(pod -> raised(pod, inUse(pod)))
                .toList();
    }

    void forget(String uid) {
        awaited.remove(uid);
        ofStrangers.remove(uid);
        floors.remove(uid);
    }

    /** What would be asked of each target that was decided and whose migration is under way. */
    List<ReservationLookup> moving() {
        return pods.all().stream()
                .filter(pod -> pod.migrationTarget() && !isAwaited(pod.uid()))
                .map(this::question)
                .flatMap(Optional::stream)
                .toList();
    }

    /** The pod as it is told to others; empty while its amounts are awaited. */
    Optional<PodObserved> counted(PodObserved pod) {
        return isAwaited(pod.uid())
                ? Optional.empty()
                : Optional.of(atLeast(pod, floors.getOrDefault(pod.uid(), Resources.NONE)));
    }

    /** At no less than what its VM uses, wherever that runs: the pod's own amounts may lag behind. */
    PodObserved atItsVm(PodObserved pod) {
        return atLeast(pod, vm(pod).map(known -> known.sizes().inUse()).orElse(Resources.NONE));
    }

    PodObserved atMaximum(PodObserved pod) {
        return atLeast(pod, maximum(pod));
    }

    /**
     * Asking marks the source as moving, so nobody asks once the migration is over: no end would come any more that
     * takes the mark away.
     */
    private Optional<ReservationLookup> question(PodObserved pod) {
        return migration(pod)
                .filter(known -> !known.phase().ended() && !known.deleting())
                .flatMap(known -> source(pod, known)
                        .map(source -> new ReservationLookup(pod.uid(), source.node(), source.uid(), known.attempt())));
    }

    private Optional<MigrationObserved> migration(PodObserved target) {
        return migrations.all().stream().filter(known -> isOf(known, target)).findAny();
    }

    private static boolean isOf(MigrationObserved migration, PodObserved target) {
        return migration.namespace().equals(target.namespace())
                && migration.name().equals(target.migration());
    }

    /** Once the VM runs in its target, only the migration still tells what it left. */
    private Optional<PodObserved> source(PodObserved target, MigrationObserved migration) {
        Predicate<String> another = name -> !name.isEmpty() && !name.equals(target.name());
        return vm(target)
                .map(VmObserved::podName)
                .filter(another)
                .or(() -> Optional.of(migration.sourcePod()).filter(another))
                .flatMap(name -> joins.pod(target.namespace(), name))
                .flatMap(pods::get);
    }

    /** What a VM uses that is still on its way to the pod. */
    private Resources inUse(PodObserved pod) {
        return vm(pod).filter(vm -> !vm.podName().equals(pod.name()))
                .map(vm -> vm.sizes().inUse())
                .orElse(Resources.NONE);
    }

    private Resources maximum(PodObserved pod) {
        return vm(pod).map(vm -> vm.sizes().max().max(vm.sizes().inUse())).orElse(Resources.NONE);
    }

    private Optional<VmObserved> vm(PodObserved pod) {
        return joins.vmOf(pod).flatMap(vms::get);
    }

    private static PodObserved atLeast(PodObserved pod, Resources floor) {
        return floor.exceeds(pod.amounts())
                ? new PodObserved(
                        pod.uid(),
                        pod.namespace(),
                        pod.name(),
                        pod.node(),
                        pod.vmName(),
                        pod.version(),
                        pod.amounts().max(floor),
                        pod.createdAtSeconds(),
                        pod.migration())
                : pod;
    }
}
