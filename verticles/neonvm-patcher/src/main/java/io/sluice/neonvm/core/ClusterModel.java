package io.sluice.neonvm.core;

import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationSeen;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.NodeSeen;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmSeen;
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
    private final Scope scope;
    private final Known<NodeSeen> nodes = new Known<>(NodeSeen::node, NodeSeen::version);
    private final Known<PodSeen> pods = new Known<>(PodSeen::uid, PodSeen::version);
    private final Known<VmSeen> vms = new Known<>(seen -> seen.vm().uid(), VmSeen::version);
    private final Known<MigrationSeen> migrations = new Known<>(MigrationSeen::uid, MigrationSeen::version);
    private final Joins joins = new Joins();
    private final TargetPods targets = new TargetPods(pods, vms, migrations, joins);

    /** Of a whole cluster. */
    public ClusterModel() {
        this(Scope.CLUSTER);
    }

    /** @param scope VMs that leave it are told once more, with where they are now, and forgotten */
    public ClusterModel(Scope scope) {
        this.scope = scope;
    }

    /**
     * What a listing or a change gives rise to.
     *
     * @param facts to be told now
     * @param questions to be answered by {@link #answered}; what they are about is told then
     * @param marksOver marks to be taken back, as their migrations are certainly over and their VMs stay
     */
    public record Step(List<Fact> facts, List<ReservedWanted> questions, List<UnmarkMigrating> marksOver) {
        static final Step NOTHING = new Step(List.of(), List.of());

        public Step {
            facts = List.copyOf(facts);
            questions = List.copyOf(questions);
            marksOver = List.copyOf(marksOver);
        }

        Step(List<Fact> facts, List<ReservedWanted> questions) {
            this(facts, questions, List.of());
        }
    }

    /** Takes a full listing: everything that is there is told, and what went. */
    public Step listed(Listing listing) {
        var facts = new ArrayList<Fact>();
        takeNodes(listing.nodes(), facts);
        var ended = takePods(listing.pods());
        takeVms(listing.vms(), facts);
        var marksOver = takeMigrations(listing.allMigrations(), facts);
        pods.all().forEach(joins::remember);
        vms.all().forEach(joins::remember);
        var questions = new ArrayList<ReservedWanted>();
        targets.grown();
        pods.all().forEach(pod -> targets.noticed(pod, true).ifPresent(questions::add));
        nodes.all().forEach(node -> facts.add(new Fact.NodeCame(node)));
        pods.all().forEach(pod -> targets.counted(pod).map(Fact.PodCame::new).ifPresent(facts::add));
        // Only now: a VM that has moved counts where it is before it ceases to count where it was.
        facts.addAll(ended);
        vms.all().forEach(vm -> facts.add(new Fact.VmCame(joins.joined(vm))));
        List.copyOf(vms.all()).forEach(this::forgetIfElsewhere);
        migrations.all().forEach(migration -> facts.add(new Fact.MigrationCame(migration)));
        return new Step(facts, questions, marksOver);
    }

    /** The members of each node by a listing that went through {@link #listed}, once its questions were answered. */
    public List<LoadNode> loads(Listing listing) {
        return Loads.of(
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
    public List<ReservedWanted> moving() {
        return targets.moving();
    }

    /**
     * Takes the answer to a question; one that was answered before changes nothing.
     *
     * @param target the pod that it was about
     * @param reserved what the VM has reserved where it leaves; without it, its maximum stands in
     */
    public List<Fact> answered(String target, Optional<Resources> reserved) {
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
    public List<Fact> markedAgain(String target, Resources reserved) {
        return pods.get(target)
                .filter(pod -> targets.raised(pod, reserved))
                .map(pod -> told(pod, false))
                .orElse(List.of());
    }

    /** Takes a node that came or changed. */
    public List<Fact> changed(NodeSeen node) {
        return nodes.changed(node) ? List.of(new Fact.NodeCame(node)) : List.of();
    }

    /** Takes a pod that came or changed, and takes room; or one whose {@linkplain PodClaims claim} is accepted now. */
    public Step changed(PodSeen pod) {
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

    private static boolean claims(PodSeen pod) {
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
    public List<Fact> changed(VmSeen vm) {
        var before = vms.get(vm.vm().uid());
        if (!vms.changed(vm)) {
            return List.of();
        }
        before.ifPresent(joins::forget);
        joins.remember(vm);
        var facts = new ArrayList<Fact>();
        targets.introduced(vm).forEach(pod -> facts.addAll(told(pod, true)));
        targets.grown().forEach(pod -> facts.addAll(told(pod, false)));
        facts.add(new Fact.VmCame(joins.joined(vm)));
        forgetIfElsewhere(vm);
        return facts;
    }

    /** Takes a migration that came or changed. */
    public Step changed(MigrationSeen migration) {
        if (!migrations.changed(migration)) {
            return Step.NOTHING;
        }
        var facts = new ArrayList<Fact>(List.of(new Fact.MigrationCame(migration)));
        var questions = new ArrayList<ReservedWanted>();
        for (var pod : targets.introduced(migration)) {
            targets.noticed(pod, false).ifPresent(questions::add);
            if (!targets.isAwaited(pod.uid())) {
                facts.addAll(told(pod, true));
            }
        }
        return new Step(facts, questions, markOver(migration, false));
    }

    private List<UnmarkMigrating> markOver(MigrationSeen migration, boolean deleted) {
        return MarkEnds.of(migration, deleted, source(migration)).stream().toList();
    }

    /** One that was over before its source was chosen left its VM where that runs. */
    private Optional<PodSeen> source(MigrationSeen migration) {
        var namespace = migration.namespace();
        var podName = Optional.of(migration.sourcePod())
                .filter(name -> !name.isEmpty())
                .or(() -> joins.vm(namespace, migration.vmName())
                        .flatMap(vms::get)
                        .map(VmSeen::podName));
        return podName.flatMap(name -> joins.pod(namespace, name)).flatMap(pods::get);
    }

    /** Takes a node's deletion. */
    public List<Fact> nodeGone(String node, long version) {
        return nodes.deleted(node, version).isPresent()
                ? List.of(new Fact.NodeWent(new NodeGone(node, version)))
                : List.of();
    }

    /** Takes a pod's deletion or end. */
    public List<Fact> podGone(String uid, long version) {
        var gone = pods.deleted(uid, version);
        if (gone.isEmpty()) {
            return List.of();
        }
        var pod = gone.get();
        forget(pod);
        var facts = new ArrayList<Fact>();
        targets.unanswerable(pod).forEach(target -> facts.addAll(told(target, true)));
        facts.add(new Fact.PodWent(new PodGone(uid, pod.node(), version)));
        vmIn(pod).ifPresent(vm -> facts.add(new Fact.VmCame(joins.joined(vm))));
        return facts;
    }

    /** Takes a VM's deletion. */
    public List<Fact> vmGone(VmId id, long version) {
        var gone = vms.deleted(id.uid(), version);
        gone.ifPresent(joins::forget);
        return gone.isPresent() ? List.of(new Fact.VmWent(new VmGone(id, version))) : List.of();
    }

    /** Takes a migration's deletion. */
    public Step migrationGone(String uid, long version) {
        return migrations
                .deleted(uid, version)
                .map(gone -> new Step(List.of(went(gone, version)), List.of(), markOver(gone, true)))
                .orElse(Step.NOTHING);
    }

    /** What was last read of a node. */
    public Optional<NodeSeen> node(String name) {
        return nodes.get(name);
    }

    /** What was last read of a pod. */
    public Optional<PodSeen> pod(String uid) {
        return pods.get(uid);
    }

    /** What was last read of a VM. */
    public Optional<VmSeen> vm(String uid) {
        return vms.get(uid);
    }

    /** What was last read of a VM of that name. */
    public Optional<VmSeen> vm(String namespace, String name) {
        return joins.vm(namespace, name).flatMap(vms::get);
    }

    /** What was last read of a migration. */
    public Optional<MigrationSeen> migration(String uid) {
        return migrations.get(uid);
    }

    /** All nodes, in no order. */
    public Collection<NodeSeen> nodes() {
        return Collections.unmodifiableCollection(nodes.all());
    }

    /** All pods that take room, in no order. */
    public Collection<PodSeen> pods() {
        return Collections.unmodifiableCollection(pods.all());
    }

    /** A pod with what it counts at; with its own amounts while nobody knows those. */
    public Optional<PodSeen> podAsTold(String uid) {
        return pods.get(uid).map(pod -> targets.counted(pod).orElse(pod));
    }

    /** All VMs, in no order. */
    public Collection<VmSeen> vms() {
        return Collections.unmodifiableCollection(vms.all());
    }

    /** All migrations, in no order. */
    public Collection<MigrationSeen> migrations() {
        return Collections.unmodifiableCollection(migrations.all());
    }

    /** The VM that runs in a pod. */
    public Optional<VmSeen> vmInPod(String podUid) {
        return pods.get(podUid).flatMap(this::vmIn);
    }

    private void takeNodes(Listing.Part<NodeSeen> part, List<Fact> facts) {
        for (var gone : nodes.listed(part)) {
            facts.add(new Fact.NodeWent(new NodeGone(gone.node(), part.version())));
        }
    }

    private List<Fact> takePods(Listing.Part<PodSeen> part) {
        var ended = new ArrayList<Fact>();
        for (var gone : pods.listed(part)) {
            forget(gone);
            targets.unanswerable(gone);
            ended.add(new Fact.PodWent(new PodGone(gone.uid(), gone.node(), part.version())));
        }
        return ended;
    }

    private void takeVms(Listing.Part<VmSeen> part, List<Fact> facts) {
        for (var gone : vms.listed(part)) {
            joins.forget(gone);
            facts.add(new Fact.VmWent(new VmGone(gone.vm(), part.version())));
        }
    }

    private List<UnmarkMigrating> takeMigrations(Listing.Part<MigrationSeen> part, List<Fact> facts) {
        var marksOver = new ArrayList<UnmarkMigrating>();
        for (var gone : migrations.listed(part)) {
            facts.add(went(gone, part.version()));
            marksOver.addAll(markOver(gone, true));
        }
        return marksOver;
    }

    private static Fact went(MigrationSeen migration, long version) {
        return new Fact.MigrationWent(new MigrationGone(
                migration.namespace(), migration.name(), migration.uid(), migration.vmName(), version));
    }

    private void forget(PodSeen pod) {
        joins.forget(pod);
        targets.forget(pod.uid());
    }

    private void forgetIfElsewhere(VmSeen vm) {
        if (scope.hasLeft(joins.joined(vm))) {
            vms.deleted(vm.vm().uid(), vm.version()).ifPresent(joins::forget);
        }
    }

    /**
     * {@code isNew}: its VM follows, which nobody could count there before; until it does, the pod counts at no less.
     */
    private List<Fact> told(PodSeen pod, boolean isNew) {
        var facts = new ArrayList<Fact>();
        targets.counted(pod)
                .map(counted -> isNew ? targets.atItsVm(counted) : counted)
                .map(Fact.PodCame::new)
                .ifPresent(facts::add);
        if (isNew) {
            vmIn(pod).ifPresent(vm -> facts.add(new Fact.VmCame(joins.joined(vm))));
        }
        return facts;
    }

    private Optional<VmSeen> vmIn(PodSeen pod) {
        return joins.vmIn(pod).flatMap(vms::get);
    }
}
