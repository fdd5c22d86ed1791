package io.sluice.gateway.core.console;

import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.agent.Waiting;
import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The fleet as it stands, from facts that may repeat, arrive out of order or be missed. Any number of readers take what
 * changed since their own mark, at their own pace and for what the change costs; nothing is queued for them.
 */
final class FleetView {
    /** A runner speaks at least every 30 s: after this it is gone, or cannot be heard. */
    static final Duration SILENT_AFTER = Duration.ofSeconds(100);

    private static final int VMS_MAX = 50_000;
    private static final int NODES_MAX = 5_000;
    private static final int GONE_MAX = 10_000;
    private static final int DECISIONS_KEPT = 100;

    private long version;
    private final VersionedMap<NodeLedgerView> nodes;
    private final VersionedMap<VmView> vms;
    private final LinkedHashMap<String, VmDetails> byVoice = new LinkedHashMap<>();
    private final Map<String, VmDetails> facts;
    private final Map<String, Boolean> goneUids = new BoundedMap<>(GONE_MAX);
    private final MigrationEntries migrations = new MigrationEntries();
    private long migrationsVersion;
    private final Deque<Made> decisions = new ArrayDeque<>();

    private record Made(DecisionView decision, long version) {}

    FleetView() {
        this(VMS_MAX, GONE_MAX);
    }

    FleetView(int vmsMax, int goneMax) {
        nodes = new VersionedMap<>(goneMax, this::draw);
        vms = new VersionedMap<>(goneMax, this::draw);
        facts = new BoundedMap<>(vmsMax, this::evicted);
    }

    private long draw() {
        return ++version;
    }

    private void evicted(String key, VmDetails vm) {
        vms.remove(key);
        byVoice.remove(key);
    }

    /** Takes the sums of a node; its members are not kept. */
    void take(NodeLedgerView books) {
        if (nodes.size() < NODES_MAX || nodes.get(books.node()).isPresent()) {
            nodes.put(books.node(), withoutMembers(books));
        }
    }

    /** Takes the books of all nodes: a node that is not among them is gone. */
    void take(Snapshot all) {
        var named = new HashSet<String>();
        for (var books : all.nodes()) {
            named.add(books.node());
            take(books);
            measure(books);
        }
        nodes.names().stream().filter(name -> !named.contains(name)).toList().forEach(nodes::remove);
    }

    private void measure(NodeLedgerView books) {
        for (var member : books.members()) {
            var vm = facts.get(member.namespace() + "/" + member.vmName());
            if (vm != null && !member.traits().unit().hasZero()) {
                vm.measuredIn(member.traits().unit());
            }
        }
    }

    void take(NodeGone end) {
        nodes.remove(end.node());
    }

    void take(VmObserved vm, Instant now) {
        var key = vm.vm().label();
        if (!goneUids.containsKey(vm.vm().uid()) && of(key, now).take(vm, now)) {
            show(key);
        }
    }

    void take(VmGone end) {
        goneUids.put(end.vm().uid(), true);
        var key = end.vm().label();
        if (find(key)
                .flatMap(VmStatus::seen)
                .filter(vm -> vm.vm().uid().equals(end.vm().uid()))
                .isPresent()) {
            facts.remove(key);
            byVoice.remove(key);
            vms.remove(key);
        }
    }

    /** Takes what a runner says of its VM. */
    void take(RunnerStatus said, Instant now) {
        take(said, VmStatus.Source.RUNNER, now);
    }

    /** Takes what is reported of a VM, which may not have been observed yet. */
    void take(RunnerStatus said, VmStatus.Source source, Instant now) {
        var key = said.vm().label();
        if (!goneUids.containsKey(said.vm().uid())) {
            var vm = of(key, now);
            if (vm.take(said, source, nodes.get(said.node()), now)) {
                voice(key, vm, said.waiting());
                show(key);
            }
        }
    }

    /** A runner that stopped says so once and is not expected to speak again. */
    private void voice(String key, VmDetails vm, Waiting waiting) {
        byVoice.remove(key);
        if (waiting != Waiting.STOPPED) {
            byVoice.put(key, vm);
        } else if (vm.seen().isEmpty()) {
            facts.remove(key);
        }
    }

    void take(MigrationObserved fact) {
        var runsOn =
                find(fact.namespace() + "/" + fact.vmName()).map(VmStatus::node).orElse("");
        if (migrations.take(fact, runsOn)) {
            migrationsVersion = draw();
        }
    }

    void take(MigrationGone end) {
        if (migrations.gone(end)) {
            migrationsVersion = draw();
        }
    }

    /** Takes where a migration's target pod has come to. */
    void take(PodObserved pod) {
        if (pod.migrationTarget() && migrations.landed(pod)) {
            migrationsVersion = draw();
        }
    }

    void take(DecisionView decision) {
        decisions.addLast(new Made(decision, draw()));
        if (decisions.size() > DECISIONS_KEPT) {
            decisions.removeFirst();
        }
    }

    /**
     * Whatever runners said too long ago is not believed any more. Costs what it finds; to be called now and then.
     *
     * @param silent hears how each such VM stood before that
     */
    void forgetSilent(Instant now, Consumer<VmStatus> silent) {
        while (!byVoice.isEmpty()) {
            var eldest = byVoice.firstEntry();
            if (eldest.getValue().heardAt().plus(SILENT_AFTER).isAfter(now)) {
                return;
            }
            byVoice.pollFirstEntry();
            silent.accept(eldest.getValue().standing());
            eldest.getValue().silence(now);
            if (eldest.getValue().seen().isPresent()) {
                show(eldest.getKey());
            } else {
                facts.remove(eldest.getKey());
            }
        }
    }

    /** Remembers how each VM with a runner stands; to be called at the steady step of its history. */
    void sample(Instant now) {
        byVoice.values().forEach(vm -> vm.sample(now));
    }

    private VmDetails of(String key, Instant now) {
        return facts.computeIfAbsent(key, unknown -> new VmDetails(unknown, now));
    }

    private void show(String key) {
        find(key).ifPresent(standing -> standing.seen().ifPresent(vm -> vms.put(key, standing.view(vm))));
    }

    private static NodeLedgerView withoutMembers(NodeLedgerView books) {
        return books.members().isEmpty()
                ? books
                : new NodeLedgerView(
                        books.node(),
                        books.complete(),
                        books.total(),
                        books.watermark(),
                        books.reserved(),
                        books.committed(),
                        books.held(),
                        books.buffer(),
                        books.capacityPressure(),
                        books.accountedPressure(),
                        books.migrating(),
                        books.underPressure(),
                        books.invariantsBroken(),
                        List.of(),
                        books.readiness(),
                        books.unsettled());
    }

    /** All that is known of a VM. */
    Optional<VmStatus> find(String key) {
        return Optional.ofNullable(facts.get(key)).map(VmDetails::standing);
    }

    Optional<ChartHistory> history(String key) {
        return Optional.ofNullable(facts.get(key)).flatMap(VmDetails::history);
    }

    Optional<NodeLedgerView> node(String name) {
        return nodes.get(name);
    }

    /** The migration under way for a VM. */
    Optional<MigrationEntry> migration(String key) {
        return migrations.ofVm(key);
    }

    /** The migrations that leave a node and do not end. */
    List<MigrationEntry> hanging(String node, Instant now) {
        return migrations.views().stream()
                .filter(view -> view.from().equals(node) && view.hangs(now))
                .toList();
    }

    int vmCount() {
        return vms.size();
    }

    int nodeCount() {
        return nodes.size();
    }

    /** The VMs of that name, in whatever namespaces. */
    List<String> named(String name) {
        return vms.names().stream()
                .filter(key -> key.endsWith("/" + name))
                .sorted()
                .toList();
    }

    FleetState all(Instant now) {
        return new FleetState(now, version, nodes.all(), vms.all(), migrations.views(), madeSince(-1));
    }

    /** What changed since a mark; empty where too much is gone since to be told: then all is to be taken anew. */
    Optional<Delta> since(long mark, Instant now) {
        if (!nodes.remembers(mark) || !vms.remembers(mark) || mark > version) {
            return Optional.empty();
        }
        return Optional.of(new Delta(
                now,
                version,
                nodes.changedSince(mark),
                nodes.goneSince(mark),
                vms.changedSince(mark),
                vms.goneSince(mark),
                migrationsVersion > mark ? Optional.of(migrations.views()) : Optional.empty(),
                madeSince(mark)));
    }

    private List<DecisionView> madeSince(long mark) {
        List<DecisionView> made = new ArrayList<>();
        for (var newest = decisions.descendingIterator(); newest.hasNext(); ) {
            var next = newest.next();
            if (next.version() <= mark) {
                break;
            }
            made.add(next.decision());
        }
        return made.reversed();
    }
}
