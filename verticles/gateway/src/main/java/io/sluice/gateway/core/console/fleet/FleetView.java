package io.sluice.gateway.core.console.fleet;

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
import io.sluice.shell.BoundedMap;
import io.sluice.shell.explain.Explanation;
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
 * The current fleet, from observations that may repeat, arrive out of order or be missed. Any number of readers take
 * what changed since their own mark, at their own pace and at the cost of the change; nothing is queued for them.
 */
public final class FleetView {
    /** A runner reports at least every 30 s: after this time without a report it is gone or unreachable. */
    static final Duration SILENT_AFTER = Duration.ofSeconds(100);

    private static final int VMS_MAX = 50_000;
    private static final int NODES_MAX = 5_000;
    private static final int GONE_MAX = 10_000;
    private static final int DECISIONS_KEPT = 100;

    private long version;
    private final VersionedMap<NodeLedgerView> nodes;
    private final VersionedMap<VmView> vms;
    private final LinkedHashMap<String, VmDetails> bySession = new LinkedHashMap<>();
    private final Map<String, VmDetails> details;
    private final Map<String, Boolean> goneUids = BoundedMap.ofLastUsed(GONE_MAX);
    private final MigrationEntries migrations = new MigrationEntries();
    private long migrationsVersion;
    private final Deque<Made> decisions = new ArrayDeque<>();

    private record Made(Explanation decision, long version) {}

    public FleetView() {
        this(VMS_MAX, GONE_MAX);
    }

    FleetView(int vmsMax, int goneMax) {
        nodes = new VersionedMap<>(goneMax, this::draw);
        vms = new VersionedMap<>(goneMax, this::draw);
        details = BoundedMap.ofLastUsed(vmsMax, this::evicted);
    }

    private long draw() {
        return ++version;
    }

    private void evicted(String key, VmDetails vm) {
        vms.remove(key);
        bySession.remove(key);
    }

    /** Takes the sums of a node; its reservations are not kept. */
    public void take(NodeLedgerView ledger) {
        if (nodes.size() < NODES_MAX || nodes.get(ledger.node()).isPresent()) {
            nodes.put(ledger.node(), ledger.withoutReservations());
        }
    }

    /** Takes a snapshot of all nodes: a node that is not in it is gone. */
    public void take(Snapshot all) {
        var named = new HashSet<String>();
        for (var ledger : all.nodes()) {
            named.add(ledger.node());
            take(ledger);
            measure(ledger);
        }
        nodes.names().stream().filter(name -> !named.contains(name)).toList().forEach(nodes::remove);
    }

    private void measure(NodeLedgerView ledger) {
        for (var reservation : ledger.reservations()) {
            var vm = details.get(reservation.namespace() + "/" + reservation.vmName());
            if (vm != null && !reservation.traits().unit().hasZero()) {
                vm.measuredIn(reservation.traits().unit());
            }
        }
    }

    public void take(NodeGone end) {
        nodes.remove(end.node());
    }

    public void take(VmObserved vm, Instant now) {
        var key = vm.vm().label();
        if (!goneUids.containsKey(vm.vm().uid()) && of(key, now).take(vm, now)) {
            show(key);
        }
    }

    public void take(VmGone end) {
        goneUids.put(end.vm().uid(), true);
        var key = end.vm().label();
        if (find(key)
                .flatMap(VmStatus::observed)
                .filter(vm -> vm.vm().uid().equals(end.vm().uid()))
                .isPresent()) {
            details.remove(key);
            bySession.remove(key);
            vms.remove(key);
        }
    }

    /** Takes a runner's status of its VM. */
    public void take(RunnerStatus reported, Instant now) {
        take(reported, VmStatus.Source.RUNNER, now);
    }

    /** Takes the status of a VM, which may not have been observed yet. */
    public void take(RunnerStatus reported, VmStatus.Source source, Instant now) {
        var key = reported.vm().label();
        if (!goneUids.containsKey(reported.vm().uid())) {
            var vm = of(key, now);
            if (vm.take(reported, source, nodes.get(reported.node()), now)) {
                session(key, vm, reported.waiting());
                show(key);
            }
        }
    }

    /** A runner that stopped reports so once and sends no further report. */
    private void session(String key, VmDetails vm, Waiting waiting) {
        bySession.remove(key);
        if (waiting != Waiting.STOPPED) {
            bySession.put(key, vm);
        } else if (vm.observed().isEmpty()) {
            details.remove(key);
        }
    }

    public void take(MigrationObserved observation) {
        var runsOn = find(observation.namespace() + "/" + observation.vmName())
                .map(VmStatus::node)
                .orElse("");
        if (migrations.take(observation, runsOn)) {
            migrationsVersion = draw();
        }
    }

    public void take(MigrationGone end) {
        if (migrations.gone(end)) {
            migrationsVersion = draw();
        }
    }

    /** Takes the node of a migration's target pod. */
    public void take(PodObserved pod) {
        if (pod.migrationTarget() && migrations.landed(pod)) {
            migrationsVersion = draw();
        }
    }

    /** Takes a decision; one that has grown replaces itself. */
    public void take(Explanation decision) {
        if (decision.count() > 1) {
            decisions.removeIf(made -> made.decision().isSameRow(decision));
        }
        decisions.addLast(new Made(decision, draw()));
        if (decisions.size() > DECISIONS_KEPT) {
            decisions.removeFirst();
        }
    }

    /**
     * Removes runners' statuses that are too old. It costs what it removes; to be called now and then.
     *
     * @param silent receives each such VM's state before that
     */
    public void forgetSilent(Instant now, Consumer<VmStatus> silent) {
        while (!bySession.isEmpty()) {
            var eldest = bySession.firstEntry();
            if (eldest.getValue().receivedAt().plus(SILENT_AFTER).isAfter(now)) {
                return;
            }
            bySession.pollFirstEntry();
            silent.accept(eldest.getValue().status());
            eldest.getValue().silence(now);
            if (eldest.getValue().observed().isPresent()) {
                show(eldest.getKey());
            } else {
                details.remove(eldest.getKey());
            }
        }
    }

    /** Adds a point to the history of each VM with a runner; to be called at the fine step of the history. */
    public void sample(Instant now) {
        bySession.values().forEach(vm -> vm.sample(now));
    }

    private VmDetails of(String key, Instant now) {
        return details.computeIfAbsent(key, unknown -> new VmDetails(unknown, now));
    }

    private void show(String key) {
        find(key).ifPresent(status -> status.observed().ifPresent(vm -> vms.put(key, status.view(vm))));
    }

    /** Returns the state of a VM. */
    public Optional<VmStatus> find(String key) {
        return Optional.ofNullable(details.get(key)).map(VmDetails::status);
    }

    public Optional<ChartHistory> history(String key) {
        return Optional.ofNullable(details.get(key)).flatMap(VmDetails::history);
    }

    public Optional<NodeLedgerView> node(String name) {
        return nodes.get(name);
    }

    /** Returns the migration under way for a VM. */
    public Optional<MigrationEntry> migration(String key) {
        return migrations.ofVm(key);
    }

    /** Returns the migrations that leave a node and do not end. */
    public List<MigrationEntry> hanging(String node, Instant now) {
        return migrations.views().stream()
                .filter(view -> view.from().equals(node) && view.hangs(now))
                .toList();
    }

    public int vmCount() {
        return vms.size();
    }

    public int nodeCount() {
        return nodes.size();
    }

    /** Returns the VMs of that name, in all namespaces. */
    public List<String> named(String name) {
        return vms.names().stream()
                .filter(key -> key.endsWith("/" + name))
                .sorted()
                .toList();
    }

    public FleetState all(Instant now) {
        return new FleetState(now, version, nodes.all(), vms.all(), migrations.views(), madeSince(-1));
    }

    /**
     * Returns the changes since a mark; empty if too many removals since then are no longer kept: then the whole fleet
     * is to be taken.
     */
    public Optional<Delta> since(long mark, Instant now) {
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

    private List<Explanation> madeSince(long mark) {
        List<Explanation> made = new ArrayList<>();
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
