package io.sluice.neonvm.core.observed;

import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The objects of the Kubernetes cluster as last observed. Full lists and changes may arrive in any order and more than
 * once. Each returns the observations to publish: VMs with the pods in which they run, and target pods at what is
 * reserved for their VMs at the source.
 */
public final class ClusterModel {
    private final WatchScope scope;
    private final ObjectIndex<NodeObserved> nodes = new ObjectIndex<>(NodeObserved::node, NodeObserved::version);
    private final ObjectIndex<PodObserved> pending = new ObjectIndex<>(PodObserved::uid, PodObserved::version);
    private final ObjectIndex<PodObserved> pods = new ObjectIndex<>(PodObserved::uid, PodObserved::version);
    private final ObjectIndex<VmObserved> vms =
            new ObjectIndex<>(observed -> observed.vm().uid(), VmObserved::version);
    private final ObjectIndex<MigrationObserved> migrations =
            new ObjectIndex<>(MigrationObserved::uid, MigrationObserved::version);
    private final NameIndex joins = new NameIndex();
    private final TargetPods targets = new TargetPods(pods, vms, migrations, joins);

    /** The model of a whole Kubernetes cluster. */
    public ClusterModel() {
        this(WatchScope.CLUSTER);
    }

    /** @param scope a VM that leaves it is published once more, with its new place, and then dropped */
    public ClusterModel(WatchScope scope) {
        this.scope = scope;
    }

    /**
     * The results of a full list or a change.
     *
     * @param observations to be published now
     * @param requests to be replied to by {@link #answered}; their target pods are published then
     * @param marksOver marks to be removed, as their migrations are certainly over and their VMs stay
     */
    public record Step(
            List<Observation> observations, List<ReservationLookup> requests, List<UnmarkMigrating> marksOver) {
        static final Step NOTHING = new Step(List.of(), List.of());

        public Step {
            observations = List.copyOf(observations);
            requests = List.copyOf(requests);
            marksOver = List.copyOf(marksOver);
        }

        Step(List<Observation> observations, List<ReservationLookup> requests) {
            this(observations, requests, List.of());
        }
    }

    /** Takes a full list: all objects in it are published, and all deletions that it shows. */
    public Step listed(FullList fullList) {
        var observations = new ArrayList<Observation>();
        takeNodes(fullList.nodes(), observations);
        var ended = takePods(fullList.pods());
        takeVms(fullList.vms(), observations);
        var marksOver = takeMigrations(fullList.allMigrations(), observations);
        pods.all().forEach(joins::remember);
        vms.all().forEach(joins::remember);
        var requests = new ArrayList<ReservationLookup>();
        targets.grown();
        pods.all().forEach(pod -> targets.noticed(pod, true).ifPresent(requests::add));
        nodes.all().forEach(node -> observations.add(new Observation.NodeCame(node)));
        pods.all()
                .forEach(pod ->
                        targets.counted(pod).map(Observation.PodCame::new).ifPresent(observations::add));
        // The order matters: a VM that has moved counts at its new place before it ceases to count at the former one.
        observations.addAll(ended);
        takePending(fullList.pending(), observations);
        vms.all().forEach(vm -> observations.add(new Observation.VmCame(joins.joined(vm))));
        List.copyOf(vms.all()).forEach(this::forgetIfElsewhere);
        migrations.all().forEach(migration -> observations.add(new Observation.MigrationCame(migration)));
        return new Step(observations, requests, marksOver);
    }

    /** The load of each node from a full list that {@link #listed} has taken, once its requests were replied to. */
    public List<LoadNode> loads(FullList fullList) {
        return NodeLists.of(
                fullList,
                node -> nodes.get(node.node())
                        .filter(newest -> newest.version() <= fullList.pods().version())
                        .orElse(node),
                pod -> targets.counted(pod).orElseGet(() -> targets.atMaximum(pod)));
    }

    /**
     * The requests to repeat after each load, which may have met an empty ledger. If the mark still exists, the reply
     * is the same and changes nothing.
     */
    public List<ReservationLookup> moving() {
        return targets.moving();
    }

    /**
     * Takes the reply to a request; a second reply changes nothing.
     *
     * @param target the pod of the request
     * @param reserved what is reserved for the VM at the source; without it, the VM's maximum counts
     */
    public List<Observation> answered(String target, Optional<Resources> reserved) {
        var pod = pods.get(target).filter(known -> targets.isAwaited(target));
        if (pod.isEmpty()) {
            return List.of();
        }
        targets.decide(pod.get(), reserved);
        return observations(pod.get(), true);
    }

    /**
     * Takes the reply to a repeated mark. If the ledger state was lost since the first mark, more may be reserved.
     *
     * @param target the pod to which the marked VM moves
     * @param reserved what is reserved for the VM at the source
     */
    public List<Observation> markedAgain(String target, Resources reserved) {
        return pods.get(target)
                .filter(pod -> targets.raised(pod, reserved))
                .map(pod -> observations(pod, false))
                .orElse(List.of());
    }

    /** Takes a new or changed node. */
    public List<Observation> changed(NodeObserved node) {
        if (nodes.get(node.node()).filter(node::hasNewerZonesThan).isPresent()) {
            nodes.replace(node);
            return List.of(new Observation.NodeCame(node));
        }
        return nodes.changed(node) ? List.of(new Observation.NodeCame(node)) : List.of();
    }

    /** Takes a new or changed pod that waits for a node. */
    public List<Observation> waits(PodObserved pod) {
        return pods.get(pod.uid()).isEmpty() && pending.changed(pod)
                ? List.of(new Observation.PodWaits(pod))
                : List.of();
    }

    private void takePending(FullList.Part<PodObserved> part, List<Observation> observations) {
        pending.listed(part).stream()
                .filter(pod -> pods.get(pod.uid()).isEmpty())
                .forEach(pod ->
                        observations.add(new Observation.PodWent(new PodGone(pod.uid(), pod.node(), part.version()))));
        pending.all().forEach(pod -> observations.add(new Observation.PodWaits(pod)));
    }

    /** Takes a new or changed pod that takes room, or one with a {@linkplain PodClaims claim} that is accepted now. */
    public Step changed(PodObserved pod) {
        pending.deleted(pod.uid(), pod.version());
        boolean accepted = pods.get(pod.uid())
                .filter(known -> known.version() == pod.version() && !claims(known) && claims(pod))
                .isPresent();
        if (accepted) {
            pods.replace(pod);
        } else if (!pods.changed(pod)) {
            return Step.NOTHING;
        }
        boolean isNew = accepted || !joins.contains(pod) || targets.isAwaited(pod.uid());
        joins.remember(pod);
        var request = targets.noticed(pod, false);
        return targets.isAwaited(pod.uid())
                ? new Step(List.of(), request.stream().toList())
                : new Step(observations(pod, isNew), List.of());
    }

    private static boolean claims(PodObserved pod) {
        return pod.runsVm() || pod.migrationTarget();
    }

    /** Whether a VM with these fields is to be processed: not if it is outside the scope, unless it has just left. */
    public boolean concerns(String uid, String namespace, String podName, String node) {
        return scope.holds(node)
                || vms.get(uid).isPresent()
                || joins.pod(namespace, podName).isPresent();
    }

    /** Takes a new or changed VM. */
    public List<Observation> changed(VmObserved vm) {
        var before = vms.get(vm.vm().uid());
        if (!vms.changed(vm)) {
            return List.of();
        }
        before.ifPresent(joins::forget);
        joins.remember(vm);
        var observations = new ArrayList<Observation>();
        targets.introduced(vm).forEach(pod -> observations.addAll(observations(pod, true)));
        targets.grown().forEach(pod -> observations.addAll(observations(pod, false)));
        observations.add(new Observation.VmCame(joins.joined(vm)));
        forgetIfElsewhere(vm);
        return observations;
    }

    /** Takes a new or changed migration. */
    public Step changed(MigrationObserved migration) {
        if (!migrations.changed(migration)) {
            return Step.NOTHING;
        }
        var observations = new ArrayList<Observation>(List.of(new Observation.MigrationCame(migration)));
        var requests = new ArrayList<ReservationLookup>();
        for (var pod : targets.introduced(migration)) {
            targets.noticed(pod, false).ifPresent(requests::add);
            if (!targets.isAwaited(pod.uid())) {
                observations.addAll(observations(pod, true));
            }
        }
        return new Step(observations, requests, markOver(migration, false));
    }

    private List<UnmarkMigrating> markOver(MigrationObserved migration, boolean deleted) {
        return MarkEnds.of(migration, deleted, source(migration)).stream().toList();
    }

    /** If the migration ended before its source was chosen, the VM is still in the pod in which it runs. */
    private Optional<PodObserved> source(MigrationObserved migration) {
        var namespace = migration.namespace();
        var podName = Optional.of(migration.sourcePod())
                .filter(name -> !name.isEmpty())
                .or(() -> joins.vm(namespace, migration.vmName())
                        .flatMap(vms::get)
                        .map(VmObserved::podName));
        return podName.flatMap(name -> joins.pod(namespace, name)).flatMap(pods::get);
    }

    /** Takes a node's deletion. */
    public List<Observation> nodeGone(String node, long version) {
        return nodes.deleted(node, version).isPresent()
                ? List.of(new Observation.NodeWent(new NodeGone(node, version)))
                : List.of();
    }

    /** Takes a pod's deletion or end. */
    public List<Observation> podGone(String uid, long version) {
        var waited = pending.deleted(uid, version);
        var gone = pods.deleted(uid, version);
        if (gone.isEmpty()) {
            return waited.<Observation>map(pod -> new Observation.PodWent(new PodGone(uid, pod.node(), version)))
                    .map(List::of)
                    .orElseGet(List::of);
        }
        var pod = gone.get();
        forget(pod);
        var observations = new ArrayList<Observation>();
        targets.unanswerable(pod).forEach(target -> observations.addAll(observations(target, true)));
        observations.add(new Observation.PodWent(new PodGone(uid, pod.node(), version)));
        vmIn(pod).ifPresent(vm -> observations.add(new Observation.VmCame(joins.joined(vm))));
        return observations;
    }

    /** Takes a VM's deletion. */
    public List<Observation> vmGone(VmId id, long version) {
        var gone = vms.deleted(id.uid(), version);
        gone.ifPresent(joins::forget);
        return gone.isPresent() ? List.of(new Observation.VmWent(new VmGone(id, version))) : List.of();
    }

    /** Takes a migration's deletion. */
    public Step migrationGone(String uid, long version) {
        return migrations
                .deleted(uid, version)
                .map(gone -> new Step(List.of(went(gone, version)), List.of(), markOver(gone, true)))
                .orElse(Step.NOTHING);
    }

    /** What was last read of a node. */
    public Optional<NodeObserved> node(String name) {
        return nodes.get(name);
    }

    /** What was last read of a pod. */
    public Optional<PodObserved> pod(String uid) {
        return pods.get(uid);
    }

    /** What was last read of a VM. */
    public Optional<VmObserved> vm(String uid) {
        return vms.get(uid);
    }

    /** What was last read of a VM of that name. */
    public Optional<VmObserved> vm(String namespace, String name) {
        return joins.vm(namespace, name).flatMap(vms::get);
    }

    /** What was last read of a migration. */
    public Optional<MigrationObserved> migration(String uid) {
        return migrations.get(uid);
    }

    /** All nodes, in no order. */
    public Collection<NodeObserved> nodes() {
        return Collections.unmodifiableCollection(nodes.all());
    }

    /** All pods that take room, in no order. */
    public Collection<PodObserved> pods() {
        return Collections.unmodifiableCollection(pods.all());
    }

    /** A pod at what it counts at; at its own amounts while that is unknown. */
    public Optional<PodObserved> podAsObserved(String uid) {
        return pods.get(uid).map(pod -> targets.counted(pod).orElse(pod));
    }

    /** All VMs, in no order. */
    public Collection<VmObserved> vms() {
        return Collections.unmodifiableCollection(vms.all());
    }

    /** All migrations, in no order. */
    public Collection<MigrationObserved> migrations() {
        return Collections.unmodifiableCollection(migrations.all());
    }

    /** The VM that runs in a pod. */
    public Optional<VmObserved> vmInPod(String podUid) {
        return pods.get(podUid).flatMap(this::vmIn);
    }

    private void takeNodes(FullList.Part<NodeObserved> part, List<Observation> observations) {
        for (var gone : nodes.listed(part)) {
            observations.add(new Observation.NodeWent(new NodeGone(gone.node(), part.version())));
        }
    }

    private List<Observation> takePods(FullList.Part<PodObserved> part) {
        var ended = new ArrayList<Observation>();
        for (var gone : pods.listed(part)) {
            forget(gone);
            targets.unanswerable(gone);
            ended.add(new Observation.PodWent(new PodGone(gone.uid(), gone.node(), part.version())));
        }
        return ended;
    }

    private void takeVms(FullList.Part<VmObserved> part, List<Observation> observations) {
        for (var gone : vms.listed(part)) {
            joins.forget(gone);
            observations.add(new Observation.VmWent(new VmGone(gone.vm(), part.version())));
        }
    }

    private List<UnmarkMigrating> takeMigrations(
            FullList.Part<MigrationObserved> part, List<Observation> observations) {
        var marksOver = new ArrayList<UnmarkMigrating>();
        for (var gone : migrations.listed(part)) {
            observations.add(went(gone, part.version()));
            marksOver.addAll(markOver(gone, true));
        }
        return marksOver;
    }

    private static Observation went(MigrationObserved migration, long version) {
        return new Observation.MigrationWent(new MigrationGone(
                migration.namespace(), migration.name(), migration.uid(), migration.vmName(), version));
    }

    private void forget(PodObserved pod) {
        joins.forget(pod);
        targets.forget(pod.uid());
    }

    private void forgetIfElsewhere(VmObserved vm) {
        if (scope.hasLeft(joins.joined(vm))) {
            vms.deleted(vm.vm().uid(), vm.version()).ifPresent(joins::forget);
        }
    }

    /**
     * {@code isNew}: the VM in the pod is published after it, and could not be counted there before. Until then the pod
     * counts at no less than its VM uses. A VM that is not autoscaled is published again, since it may come down only
     * once its pod shows that it uses less.
     */
    private List<Observation> observations(PodObserved pod, boolean isNew) {
        var observations = new ArrayList<Observation>();
        targets.counted(pod)
                .map(counted -> isNew ? targets.atItsVm(counted) : counted)
                .map(Observation.PodCame::new)
                .ifPresent(observations::add);
        vmIn(pod)
                .filter(vm -> isNew || !vm.autoscaled())
                .ifPresent(vm -> observations.add(new Observation.VmCame(joins.joined(vm))));
        return observations;
    }

    private Optional<VmObserved> vmIn(PodObserved pod) {
        return joins.vmIn(pod).flatMap(vms::get);
    }
}
