package io.sluice.neonvm.core;

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
 * What runs where, as last seen. Listings and changes come in any order and more than once; each answers what to tell
 * the others, with VMs joined to the pods that they run in, and pods that a VM is moved to counted at what it has
 * reserved where it leaves.
 */
public final class ClusterModel {
    private final WatchScope scope;
    private final ObjectIndex<NodeObserved> nodes = new ObjectIndex<>(NodeObserved::node, NodeObserved::version);
    private final ObjectIndex<PodObserved> pods = new ObjectIndex<>(PodObserved::uid, PodObserved::version);
    private final ObjectIndex<VmObserved> vms =
            new ObjectIndex<>(seen -> seen.vm().uid(), VmObserved::version);
    private final ObjectIndex<MigrationObserved> migrations =
            new ObjectIndex<>(MigrationObserved::uid, MigrationObserved::version);
    private final NameIndex joins = new NameIndex();
    private final TargetPods targets = new TargetPods(pods, vms, migrations, joins);

    /** Of a whole cluster. */
    public ClusterModel() {
        this(WatchScope.CLUSTER);
    }

    /** @param scope VMs that leave it are told once more, with where they are now, and forgotten */
    public ClusterModel(WatchScope scope) {
        this.scope = scope;
    }

    /**
     * What a listing or a change gives rise to.
     *
     * @param facts to be told now
     * @param questions to be answered by {@link #answered}; what they are about is told then
     * @param marksOver marks to be taken back, as their migrations are certainly over and their VMs stay
     */
    public record Step(List<Observation> facts, List<ReservationLookup> questions, List<UnmarkMigrating> marksOver) {
        static final Step NOTHING = new Step(List.of(), List.of());

        public Step {
            facts = List.copyOf(facts);
            questions = List.copyOf(questions);
            marksOver = List.copyOf(marksOver);
        }

        Step(List<Observation> facts, List<ReservationLookup> questions) {
            this(facts, questions, List.of());
        }
    }

    /** Takes a full listing: everything that is there is told, and what went. */
    public Step listed(FullList listing) {
        var facts = new ArrayList<Observation>();
        takeNodes(listing.nodes(), facts);
        var ended = takePods(listing.pods());
        takeVms(listing.vms(), facts);
        var marksOver = takeMigrations(listing.allMigrations(), facts);
        pods.all().forEach(joins::remember);
        vms.all().forEach(joins::remember);
        var questions = new ArrayList<ReservationLookup>();
        targets.grown();
        pods.all().forEach(pod -> targets.noticed(pod, true).ifPresent(questions::add));
        nodes.all().forEach(node -> facts.add(new Observation.NodeCame(node)));
        pods.all()
                .forEach(pod ->
                        targets.counted(pod).map(Observation.PodCame::new).ifPresent(facts::add));
        // Only now: a VM that has moved counts where it is before it ceases to count where it was.
        facts.addAll(ended);
        vms.all().forEach(vm -> facts.add(new Observation.VmCame(joins.joined(vm))));
        List.copyOf(vms.all()).forEach(this::forgetIfElsewhere);
        migrations.all().forEach(migration -> facts.add(new Observation.MigrationCame(migration)));
        return new Step(facts, questions, marksOver);
    }

    /** The members of each node by a listing that went through {@link #listed}, once its questions were answered. */
    public List<LoadNode> loads(FullList listing) {
        return NodeLists.of(
                listing,
                node -> nodes.get(node.node())
                        .filter(newest -> newest.version() <= listing.pods().version())
                        .orElse(node),
                pod -> targets.counted(pod).orElseGet(() -> targets.atMaximum(pod)));
    }

    /**
     * To be asked again after each load, which may have been one of empty books: a mark that stands is answered as it
     * was, and changes nothing.
     */
    public List<ReservationLookup> moving() {
        return targets.moving();
    }

    /**
     * Takes the answer to a question; one that was answered before changes nothing.
     *
     * @param target the pod that it was about
     * @param reserved what the VM has reserved where it leaves; without it, its maximum stands in
     */
    public List<Observation> answered(String target, Optional<Resources> reserved) {
        var pod = pods.get(target).filter(known -> targets.isAwaited(target));
        if (pod.isEmpty()) {
            return List.of();
        }
        targets.decide(pod.get(), reserved);
        return told(pod.get(), true);
    }

    /**
     * Takes the answer to a mark that was put on again: books that were lost since the first may have booked more.
     *
     * @param target the pod that the marked VM moves to
     * @param reserved what the VM has reserved where it leaves
     */
    public List<Observation> markedAgain(String target, Resources reserved) {
        return pods.get(target)
                .filter(pod -> targets.raised(pod, reserved))
                .map(pod -> told(pod, false))
                .orElse(List.of());
    }

    /** Takes a node that came or changed. */
    public List<Observation> changed(NodeObserved node) {
        return nodes.changed(node) ? List.of(new Observation.NodeCame(node)) : List.of();
    }

    /** Takes a pod that came or changed, and takes room; or one whose {@linkplain PodClaims claim} is accepted now. */
    public Step changed(PodObserved pod) {
        boolean accepted = pods.get(pod.uid())
                .filter(known -> known.version() == pod.version() && !claims(known) && claims(pod))
                .isPresent();
        if (accepted) {
            pods.replace(pod);
        } else if (!pods.changed(pod)) {
            return Step.NOTHING;
        }
        boolean isNew = accepted || !joins.knows(pod) || targets.isAwaited(pod.uid());
        joins.remember(pod);
        var question = targets.noticed(pod, false);
        return targets.isAwaited(pod.uid())
                ? new Step(List.of(), question.stream().toList())
                : new Step(told(pod, isNew), List.of());
    }

    private static boolean claims(PodObserved pod) {
        return pod.runsVm() || pod.migrationTarget();
    }

    /**
     * Whether a VM is to be heard of, by what its object says: one that is elsewhere is not, unless it has just left.
     */
    public boolean concerns(String uid, String namespace, String podName, String node) {
        return scope.holds(node)
                || vms.get(uid).isPresent()
                || joins.pod(namespace, podName).isPresent();
    }

    /** Takes a VM that came or changed. */
    public List<Observation> changed(VmObserved vm) {
        var before = vms.get(vm.vm().uid());
        if (!vms.changed(vm)) {
            return List.of();
        }
        before.ifPresent(joins::forget);
        joins.remember(vm);
        var facts = new ArrayList<Observation>();
        targets.introduced(vm).forEach(pod -> facts.addAll(told(pod, true)));
        targets.grown().forEach(pod -> facts.addAll(told(pod, false)));
        facts.add(new Observation.VmCame(joins.joined(vm)));
        forgetIfElsewhere(vm);
        return facts;
    }

    /** Takes a migration that came or changed. */
    public Step changed(MigrationObserved migration) {
        if (!migrations.changed(migration)) {
            return Step.NOTHING;
        }
        var facts = new ArrayList<Observation>(List.of(new Observation.MigrationCame(migration)));
        var questions = new ArrayList<ReservationLookup>();
        for (var pod : targets.introduced(migration)) {
            targets.noticed(pod, false).ifPresent(questions::add);
            if (!targets.isAwaited(pod.uid())) {
                facts.addAll(told(pod, true));
            }
        }
        return new Step(facts, questions, markOver(migration, false));
    }

    private List<UnmarkMigrating> markOver(MigrationObserved migration, boolean deleted) {
        return MarkEnds.of(migration, deleted, source(migration)).stream().toList();
    }

    /** One that was over before its source was chosen left its VM where that runs. */
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
        var gone = pods.deleted(uid, version);
        if (gone.isEmpty()) {
            return List.of();
        }
        var pod = gone.get();
        forget(pod);
        var facts = new ArrayList<Observation>();
        targets.unanswerable(pod).forEach(target -> facts.addAll(told(target, true)));
        facts.add(new Observation.PodWent(new PodGone(uid, pod.node(), version)));
        vmIn(pod).ifPresent(vm -> facts.add(new Observation.VmCame(joins.joined(vm))));
        return facts;
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

    /** A pod with what it counts at; with its own amounts while nobody knows those. */
    public Optional<PodObserved> podAsTold(String uid) {
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

    private void takeNodes(FullList.Part<NodeObserved> part, List<Observation> facts) {
        for (var gone : nodes.listed(part)) {
            facts.add(new Observation.NodeWent(new NodeGone(gone.node(), part.version())));
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

    private void takeVms(FullList.Part<VmObserved> part, List<Observation> facts) {
        for (var gone : vms.listed(part)) {
            joins.forget(gone);
            facts.add(new Observation.VmWent(new VmGone(gone.vm(), part.version())));
        }
    }

    private List<UnmarkMigrating> takeMigrations(FullList.Part<MigrationObserved> part, List<Observation> facts) {
        var marksOver = new ArrayList<UnmarkMigrating>();
        for (var gone : migrations.listed(part)) {
            facts.add(went(gone, part.version()));
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
     * {@code isNew}: its VM follows, which nobody could count there before; until it does, the pod counts at no less.
     */
    private List<Observation> told(PodObserved pod, boolean isNew) {
        var facts = new ArrayList<Observation>();
        targets.counted(pod)
                .map(counted -> isNew ? targets.atItsVm(counted) : counted)
                .map(Observation.PodCame::new)
                .ifPresent(facts::add);
        if (isNew) {
            vmIn(pod).ifPresent(vm -> facts.add(new Observation.VmCame(joins.joined(vm))));
        }
        return facts;
    }

    private Optional<VmObserved> vmIn(PodObserved pod) {
        return joins.vmIn(pod).flatMap(vms::get);
    }
}
