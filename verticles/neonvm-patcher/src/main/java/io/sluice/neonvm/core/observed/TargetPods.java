package io.sluice.neonvm.core.observed;

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
 * What target pods of migrations count at. A target's own amounts may not show its VM's size before the VM has arrived.
 * So each target has a floor, which never falls as long as the pod is a target.
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

    /** Whether it is not decided yet what the pod counts at. */
    boolean isAwaited(String uid) {
        return awaited.contains(uid) || ofStrangers.contains(uid);
    }

    /**
     * Ensures that a target has a floor, or returns the request for it. If the target's VM was not observed yet, the
     * target waits for the VM or for a full list, since its own amounts may be less than its VM uses. If its migration
     * was not observed yet, it waits as well, since the mark needs the migration's attempt.
     *
     * @param listed whether a full list with the pod was taken, which then had all migrations too
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
        var request = request(pod);
        if (request.isPresent()) {
            awaited.add(pod.uid());
        } else {
            decide(pod, Optional.empty());
        }
        return request;
    }

    /** @param reserved what is reserved for the VM at the source; without it, the VM's maximum counts */
    void decide(PodObserved pod, Optional<Resources> reserved) {
        awaited.remove(pod.uid());
        ofStrangers.remove(pod.uid());
        floors.put(pod.uid(), reserved.map(inUse(pod)::max).orElseGet(() -> maximum(pod)));
    }

    /**
     * Decides, without a reply, the undecided targets of a VM of which a pod has ended. If that pod was the source, the
     * VM counts nowhere else any more.
     */
    List<PodObserved> unanswerable(PodObserved ended) {
        var undecided = Stream.concat(awaited.stream(), ofStrangers.stream());
        return atMaximum(undecided, ended.namespace(), ended.vmName());
    }

    /**
     * Decides the targets that waited for this VM, if their migrations are known. Also decides the one in which the VM
     * runs.
     */
    List<PodObserved> introduced(VmObserved vm) {
        var named = ofStrangers.stream()
                .filter(uid -> pods.get(uid)
                        .filter(pod -> pod.name().equals(vm.podName())
                                || migration(pod).isPresent())
                        .isPresent());
        return atMaximum(named, vm.vm().namespace(), vm.vm().name());
    }

    /** The targets that waited for this migration. */
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

    /** Raises the floor of a decided target; returns whether it counts at more from now on. */
    boolean raised(PodObserved pod, Resources least) {
        var floor = floors.get(pod.uid());
        if (floor == null || !least.exceeds(floor.max(pod.amounts()))) {
            return false;
        }
        floors.put(pod.uid(), floor.max(least));
        return true;
    }

    /** Raises the targets of VMs that have grown during the migration, and returns them. */
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

    /** The request for each decided target of a migration that is under way. */
    List<ReservationLookup> moving() {
        return pods.all().stream()
                .filter(pod -> pod.migrationTarget() && !isAwaited(pod.uid()))
                .map(this::request)
                .flatMap(Optional::stream)
                .toList();
    }

    /** The pod as it is published; empty while its amounts are undecided. */
    Optional<PodObserved> counted(PodObserved pod) {
        return isAwaited(pod.uid())
                ? Optional.empty()
                : Optional.of(atLeast(pod, floors.getOrDefault(pod.uid(), Resources.NONE)));
    }

    /** The pod at no less than what its VM uses, wherever the VM runs: the pod's own amounts may lag behind. */
    PodObserved atItsVm(PodObserved pod) {
        return atLeast(pod, vm(pod).map(known -> known.sizes().inUse()).orElse(Resources.NONE));
    }

    PodObserved atMaximum(PodObserved pod) {
        return atLeast(pod, maximum(pod));
    }

    /**
     * The request also marks the source. So there is none once the migration is over: no later end would remove the
     * mark.
     */
    private Optional<ReservationLookup> request(PodObserved pod) {
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

    /** Once the VM runs in its target, only the migration still names the source. */
    private Optional<PodObserved> source(PodObserved target, MigrationObserved migration) {
        Predicate<String> another = name -> !name.isEmpty() && !name.equals(target.name());
        return vm(target)
                .map(VmObserved::podName)
                .filter(another)
                .or(() -> Optional.of(migration.sourcePod()).filter(another))
                .flatMap(name -> joins.pod(target.namespace(), name))
                .flatMap(pods::get);
    }

    /** What a VM uses that is still migrating to the pod. */
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
                        pod.migration(),
                        pod.priority())
                : pod;
    }
}
