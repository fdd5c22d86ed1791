package io.sluice.simulation.gangs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.placement.core.gangs.GangAction;
import io.sluice.placement.core.gangs.GangKey;
import io.sluice.placement.core.gangs.GangMember;
import io.sluice.placement.core.gangs.GangSpec;
import io.sluice.shell.Portions;
import io.sluice.simulation.engine.Chance;
import io.sluice.simulation.engine.Seconds;
import io.sluice.simulation.engine.Timeline;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Nodes with real ledgers, an API server, and a process that starts gangs with the real collector, in virtual time.
 * After each event it checks that gangs start whole.
 */
class GangWorld {
    static final long MEMORY = 1L << 30;

    final Timeline time = new Timeline();
    final Faults faults;
    final Map<String, NodeState> nodes = new TreeMap<>();
    final Map<String, Pod> pods = new TreeMap<>();
    final Map<GangKey, GangSpec> gangs = new TreeMap<>();
    final List<GangAction.Happened> happened = new ArrayList<>();
    private final List<String> journal = new ArrayList<>();
    final List<Long> attemptedAt = new ArrayList<>();
    final LostLedgers lostLedgers = new LostLedgers(this);
    Function<BindPod, Optional<PodBinding>> onBind = bind -> Optional.empty();
    /** A mistake that is planted to test the checks themselves. */
    enum Mistake {
        NONE,
        /** A member is bound as soon as its own room is held. */
        BINDS_EACH,
        /** A successor leaves the holds of the process before. */
        LEAVES_HOLDS,
        /** A member is bound on the hold that it had once. */
        BINDS_UNREPEATED
    }

    Mistake mistake = Mistake.NONE;
    int bindsAtOnce = 100;
    boolean keepsRoom = true;
    GangLeader leader;
    private final NodeLedger ledger = new NodeLedger(new LedgerRules(
            Duration.ofSeconds(10), 0.8, Portions.NOTHING, LastPermitTrust.RECOVERY, InvariantChecks.CHANGES));
    private final Map<GangKey, GangTruth> truths = new TreeMap<>();
    private final Map<String, GangKey> gangOf = new HashMap<>();
    private final Map<NodeState, List<String>> reserved = new IdentityHashMap<>();
    private int incarnation;
    private int version;
    private int attempts;

    /** What is lost and late. */
    static final class Faults {
        private final Chance chance;
        private boolean on;

        Faults(Chance chance, boolean on) {
            this.chance = chance;
            this.on = on;
        }

        static Faults none() {
            return new Faults(new Chance(0, "no faults"), false);
        }

        /** Nothing is lost or late any more. */
        void end() {
            on = false;
        }

        boolean oneIn(int many) {
            return on && chance.oneIn(many);
        }

        long late(long most) {
            return on ? chance.below(most) : 0;
        }
    }

    /** A pod at the API server. */
    static final class Pod {
        final String uid;
        final GangKey gang;
        final long milliCpu;
        final int priority;
        String node = "";
        GangMember.End end = GangMember.End.NONE;
        long version;

        Pod(String uid, GangKey gang, long milliCpu, int priority, long version) {
            this.uid = uid;
            this.gang = gang;
            this.milliCpu = milliCpu;
            this.priority = priority;
            this.version = version;
        }

        boolean isPending() {
            return node.isEmpty() && end == GangMember.End.NONE;
        }

        Resources amounts() {
            return new Resources(milliCpu, MEMORY);
        }

        PodObserved observed() {
            return new PodObserved(uid, "ns", uid, node, "", version, amounts(), 0, "", priority);
        }
    }

    GangWorld(Faults faults) {
        this.faults = faults;
    }

    static GangWorld withoutFaults() {
        var world = new GangWorld(Faults.none());
        world.lead();
        return world;
    }

    /** Three nodes of 4 CPUs. */
    static GangWorld c3() {
        var world = withoutFaults();
        world.node("n1", 4_000).node("n2", 4_000).node("n3", 4_000);
        return world;
    }

    static GangKey key(String name) {
        return new GangKey(GangKey.Kind.X_K8S, "ns", name);
    }

    /** A number for an attempt, of whichever process. */
    int unique() {
        return ++attempts;
    }

    Instant now() {
        return Seconds.instant(time.now());
    }

    void lead() {
        leader = new GangLeader(this);
        leader.begin();
    }

    GangWorld node(String name, long milliCpu) {
        load(name, new Resources(milliCpu, 1_000 * MEMORY));
        return this;
    }

    /** A ledger without any state, and the list that completes it. */
    void load(String name, Resources total) {
        var node = new NodeObserved(name, ++version, total);
        nodes.put(name, NodeState.blank(name));
        var ahead = run(name, new LedgerCommand.Load(LoadNode.ahead(node)));
        var bound = pods.values().stream()
                .filter(pod -> pod.node.equals(name) && !isEnded(pod))
                .map(Pod::observed)
                .toList();
        run(
                name,
                new LedgerCommand.Load(new LoadNode(node, ++version, bound, List.of())
                        .relist(ahead.relist().orElseThrow())));
    }

    /** The gangs of which a node's ledger loses holds may have too few. */
    void excuse(String node) {
        LedgerView.full(nodes.get(node), 0)
                .reservations()
                .forEach(reservation -> find(reservation.pod()).ifPresent(pod -> {
                    truth(pod.gang).excused = true;
                    truth(pod.gang).lost = true;
                }));
    }

    /** A node is gone, and the pods on it are. */
    void nodeGone(String name) {
        journal("node " + name + " is gone");
        var lost = nodes.remove(name);
        if (lost == null) {
            return;
        }
        LedgerView.full(lost, 0)
                .reservations()
                .forEach(reservation ->
                        find(reservation.pod()).ifPresent(pod -> truth(pod.gang).ended(pod.uid, time.now())));
        leader.nodeGone(name);
        List.copyOf(pods.values()).stream().filter(pod -> pod.node.equals(name)).forEach(this::delete);
    }

    GangSpec gang(String name, int minMember) {
        return gang(new GangSpec(key(name), minMember, now()));
    }

    GangSpec gang(GangSpec spec) {
        gangs.put(spec.key(), spec);
        journal(spec.key().label() + " of " + spec.minMember());
        time.in(faults.late(Seconds.ofMillis(500)), () -> leader.observed(spec));
        return spec;
    }

    Pod pod(String uid, String gang, long milliCpu) {
        return pod(uid, gang, milliCpu, 0);
    }

    Pod pod(String uid, String gang, long milliCpu, int priority) {
        var pod = new Pod(uid, key(gang), milliCpu, priority, ++version);
        pods.put(uid, pod);
        gangOf.put(uid, pod.gang);
        journal(uid + " of " + pod.gang.label());
        changed(pod);
        return pod;
    }

    void delete(Pod pod) {
        journal("delete " + pod.uid);
        pods.remove(pod.uid);
        truth(pod.gang).ended(pod.uid, time.now());
        ended(pod);
    }

    void succeed(Pod pod) {
        pod.end = GangMember.End.SUCCEEDED;
        pod.version = ++version;
        truth(pod.gang).succeeded.add(pod.uid);
        ended(pod);
    }

    private void ended(Pod pod) {
        var gone = new PodGone(pod.uid, pod.node, ++version);
        nodes.keySet()
                .forEach(node -> time.in(faults.late(Seconds.ofMillis(500)), () -> {
                    if (nodes.containsKey(node)) {
                        run(node, new LedgerCommand.LosePod(new PodGone(gone.uid(), node, gone.version())));
                    }
                }));
        time.in(faults.late(Seconds.ofMillis(500)), () -> leader.ended(pod));
    }

    private void changed(Pod pod) {
        var observed = pod.observed();
        time.in(faults.late(Seconds.ofMillis(500)), () -> leader.observed(pod, observed));
        if (!pod.node.isEmpty()) {
            time.in(faults.late(Seconds.ofMillis(500)), () -> {
                if (nodes.containsKey(observed.node()) && pods.containsKey(pod.uid) && !isEnded(pod)) {
                    run(observed.node(), new LedgerCommand.ObservePod(observed));
                }
            });
        }
    }

    private static boolean isEnded(Pod pod) {
        return pod.end != GangMember.End.NONE;
    }

    void journal(String line) {
        journal.add(time.clock() + " " + line);
    }

    String journalOf(String part) {
        return journal.stream()
                .filter(line -> line.contains(part) || line.contains("leader") || line.contains("is gone"))
                .collect(Collectors.joining("\n"));
    }

    /** Runs a command, and publishes the node's sums. */
    <A> A run(String node, LedgerCommand<A> command) {
        var outcome = ledger.apply(nodes.get(node), command, now(), ++incarnation);
        assertThat(outcome.notices())
                .as("notices of %s", command)
                .noneMatch(notice ->
                        notice instanceof LedgerNotice.InvariantsBroken || notice instanceof LedgerNotice.PodFound);
        if (command instanceof LedgerCommand.Hold || command instanceof LedgerCommand.Release) {
            journal(node + ": " + command + " -> " + outcome.reply());
        }
        nodes.put(node, outcome.state());
        assertThat(outcome.state()
                        .sums()
                        .reserved()
                        .exceeds(outcome.state().size().total()))
                .as("%s has more reserved than it has", node)
                .isFalse();
        var sums = LedgerView.summary(outcome.state(), 0);
        time.in(faults.late(Seconds.ofMillis(200)), () -> leader.sums(sums));
        return outcome.reply();
    }

    List<NodeLedgerView> ledgers() {
        return nodes.values().stream().map(state -> LedgerView.full(state, 0)).toList();
    }

    PodBinding bind(BindPod bind) {
        var answer = onBind.apply(bind);
        if (answer.isPresent()) {
            return answer.get();
        }
        var pod = pods.get(bind.uid());
        if (pod == null || isEnded(pod)) {
            return new PodBinding.Gone();
        }
        if (!pod.node.isEmpty() || pod.version != bind.version()) {
            return new PodBinding.InDoubt("conflict");
        }
        if (!nodes.containsKey(bind.node())) {
            return new PodBinding.Refused("no such node");
        }
        journal("bind " + pod.uid + " to " + bind.node());
        boundFirst(pod);
        pod.node = bind.node();
        pod.version = ++version;
        changed(pod);
        return new PodBinding.Bound(pod.node);
    }

    PodBinding touch(String uid) {
        var pod = pods.get(uid);
        if (pod == null || isEnded(pod)) {
            return new PodBinding.Gone();
        }
        if (!pod.node.isEmpty()) {
            return new PodBinding.Bound(pod.node);
        }
        pod.version = ++version;
        changed(pod);
        return new PodBinding.Unbound();
    }

    private GangTruth truth(GangKey gang) {
        return truths.computeIfAbsent(gang, added -> new GangTruth());
    }

    /** No member is bound before enough of its gang were held at one time. */
    private void boundFirst(Pod pod) {
        assertThat(truth(pod.gang).collected)
                .as("%s: %s is bound before its gang was collected", time.clock(), pod.uid)
                .isTrue();
    }

    /** The members that have room, by gang: held, bound, succeeded, or ended a short time ago. */
    private Map<GangKey, Set<String>> withRoom() {
        var there = new HashMap<GangKey, Set<String>>();
        truths.forEach((gang, truth) ->
                there.put(gang, truth.countedWithoutRoom(time.now()).collect(Collectors.toCollection(HashSet::new))));
        for (var state : nodes.values()) {
            for (var uid : reserved.computeIfAbsent(state, GangWorld::uids)) {
                Optional.ofNullable(gangOf.get(uid))
                        .ifPresent(gang -> there.computeIfAbsent(gang, added -> new HashSet<>())
                                .add(uid));
            }
        }
        for (var pod : pods.values()) {
            if (!pod.node.isEmpty()) {
                there.computeIfAbsent(pod.gang, added -> new HashSet<>()).add(pod.uid);
            }
        }
        return there;
    }

    private static List<String> uids(NodeState state) {
        return LedgerView.full(state, 0).reservations().stream()
                .map(ReservationView::pod)
                .toList();
    }

    void happened(GangAction.Happened what) {
        happened.add(what);
        journal(what.toString());
        if (what.what() == GangAction.What.DEGRADED) {
            truth(what.gang()).excused = true;
        }
        truth(what.gang()).lost &= what.what() == GangAction.What.SATISFIED;
    }

    private void check() {
        if (reserved.size() > 10_000) {
            reserved.clear();
        }
        var there = withRoom();
        var started = pods.values().stream()
                .filter(pod -> !pod.node.isEmpty())
                .map(pod -> pod.gang)
                .collect(Collectors.toSet());
        gangs.forEach((key, spec) -> {
            var truth = truth(key);
            int withRoom = there.getOrDefault(key, Set.of()).size();
            boolean enough = withRoom >= spec.minMember();
            truth.excused &= withRoom > 0 || truth.lost;
            truth.collected = enough || truth.lost || truth.collected && (truth.excused || started.contains(key));
            if (started.contains(key) && !truth.excused) {
                assertThat(withRoom)
                        .as("%s: %s has started, and has fewer than its minimum with room", time.clock(), key.label())
                        .isGreaterThanOrEqualTo(spec.minMember());
            }
        });
    }

    /** Plays that long. */
    void play(Duration length) {
        long end = time.now() + Seconds.of(length);
        while (time.step(end)) {
            check();
        }
    }

    void playTo(long seconds) {
        play(Duration.ofNanos(Seconds.of(seconds) - time.now()));
    }

    List<String> bound(String gang) {
        return pods.values().stream()
                .filter(pod -> pod.gang.equals(key(gang)) && !pod.node.isEmpty() && !isEnded(pod))
                .map(pod -> pod.uid)
                .toList();
    }

    /** On how many nodes room is kept. */
    long claims() {
        return nodes.values().stream()
                .filter(node ->
                        node.claim().filter(claim -> !claim.hasEnded(now())).isPresent())
                .count();
    }

    long heldMilliCpu() {
        return nodes.values().stream()
                .mapToLong(state -> state.sums().held().milliCpu())
                .sum();
    }

    long reservedMilliCpu() {
        return nodes.values().stream()
                .mapToLong(state -> state.sums().reserved().milliCpu())
                .sum();
    }

    int heldMembers() {
        return (int) ledgers().stream()
                .flatMap(view -> view.reservations().stream())
                .filter(reservation -> reservation.traits().held())
                .count();
    }

    /** What is held for no attempt that is under way. */
    List<String> leftOver() {
        return ledgers().stream()
                .flatMap(view -> view.reservations().stream())
                .filter(reservation -> reservation.traits().held() && !leader.collector.isUnderWay(reservation.pod()))
                .map(reservation ->
                        reservation.pod() + " for " + reservation.traits().heldFor())
                .toList();
    }

    long count(String gang, GangAction.What what) {
        return happened.stream()
                .filter(event -> event.gang().equals(key(gang)) && event.what() == what)
                .count();
    }

    String reason(String gang) {
        return leader.gangs.find(key(gang)).orElseThrow().waitReason();
    }

    Optional<Pod> find(String uid) {
        return Optional.ofNullable(pods.get(uid));
    }
}
