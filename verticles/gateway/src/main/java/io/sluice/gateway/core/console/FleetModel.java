package io.sluice.gateway.core.console;

import io.sluice.gateway.core.console.fleet.ChartHistory;
import io.sluice.gateway.core.console.fleet.Delta;
import io.sluice.gateway.core.console.fleet.FleetState;
import io.sluice.gateway.core.console.fleet.FleetView;
import io.sluice.gateway.core.console.fleet.VmStatus;
import io.sluice.gateway.core.console.fleet.VmView;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.GoalBasis;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.cluster.MigrationGone;
import io.sluice.messages.cluster.MigrationObserved;
import io.sluice.messages.cluster.NodeGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmGone;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.pressure.Ranking;
import io.sluice.shell.BoundedMap;
import io.sluice.shell.explain.Explanation;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The console's state from the events of the bus: the fleet and its changes, the history of each VM over the last
 * hours, and explanations. Everything in it has a bound.
 */
public final class FleetModel {
    /** A VM that waited for less time than this gets no history entry: it was a normal step. */
    private static final Duration WORTH_KEEPING = Duration.ofSeconds(2);

    private static final int NODES_MAX = 5_000;

    private final FleetView fleet = new FleetView();
    private final DecisionHistory why = new DecisionHistory();
    private final Map<String, NodeStatus> nodes = BoundedMap.ofLastUsed(NODES_MAX);

    /** Takes the sums of a node. */
    public void received(NodeLedgerView ledger, Instant now) {
        fleet.take(ledger);
        stands(ledger, now);
    }

    /** Takes a snapshot of all nodes; nodes that are not in it are gone. */
    public void received(Snapshot all, Instant now) {
        fleet.take(all);
        var named = new HashSet<String>();
        for (var ledger : all.nodes()) {
            named.add(ledger.node());
            fleet.node(ledger.node()).ifPresent(sums -> stands(sums, now));
        }
        nodes.keySet().retainAll(named);
    }

    private void stands(NodeLedgerView ledger, Instant now) {
        var before = nodes.get(ledger.node());
        if (before == null) {
            nodes.put(ledger.node(), NodeStatus.begun(ledger, now));
            return;
        }
        var after = before.with(ledger, now);
        if (after.state() != before.state()) {
            why.add(new DecisionHistory.Subject.Node(ledger.node()), before.explained(Optional.of(now), now));
        }
        nodes.put(ledger.node(), after);
    }

    /** Takes the end of a node. */
    public void received(NodeGone end) {
        fleet.take(end);
        nodes.remove(end.node());
    }

    /** Takes an observation of a VM. */
    public void received(VmObserved vm, Instant now) {
        watching(vm.vm(), now, () -> fleet.take(vm, now));
    }

    /** Takes the end of a VM. */
    public void received(VmGone end, Instant now) {
        watching(end.vm(), now, () -> fleet.take(end));
    }

    /** Takes a runner's status of its VM. */
    public void received(RunnerStatus status, Instant now) {
        watching(status.vm(), now, () -> fleet.take(status, now));
    }

    /** Takes the ledger's status of a VM whose agent is outside the bus; a denial is a decision too. */
    public void permitted(RunnerStatus status, Instant now) {
        var key = status.vm().label();
        var before = fleet.find(key).flatMap(VmStatus::status);
        watching(status.vm(), now, () -> fleet.take(status, VmStatus.Source.LEDGER, now));
        boolean isTaken =
                fleet.find(key).flatMap(VmStatus::status).filter(status::equals).isPresent();
        var goal = status.goal().filter(requested -> isTaken && !status.reason().isEmpty());
        boolean isNews = before.filter(known -> known.goal().equals(goal)
                        && known.permit().equals(status.permit())
                        && !known.reason().isEmpty())
                .isEmpty();
        if (goal.isPresent() && isNews) {
            received(
                    new Decision(
                            Decision.Kind.DENIED,
                            status.vm(),
                            status.node(),
                            status.size(),
                            goal.get(),
                            Optional.empty(),
                            GoalBasis.NONE,
                            status.reason(),
                            1),
                    now);
        }
    }

    /** Takes a decision on a VM's size. */
    public void received(Decision decision, Instant now) {
        var entry = Explanation.of(decision, now);
        fleet.take(why.add(new DecisionHistory.Subject.Vm(entry.vm()), entry));
        if (decision.kind() == Decision.Kind.DENIED) {
            why.add(new DecisionHistory.Subject.Node(entry.node()), entry);
        }
    }

    /** Takes a decision on which VM leaves a node. */
    public void received(PressureDecision decision, Instant now) {
        var entry = Explanation.of(decision, now);
        var kept = why.add(new DecisionHistory.Subject.Node(entry.node()), entry);
        if (!entry.toNode().isEmpty() && !entry.toNode().equals(entry.node())) {
            why.add(new DecisionHistory.Subject.Node(entry.toNode()), entry);
        }
        if (!entry.vm().isEmpty()) {
            why.add(new DecisionHistory.Subject.Vm(entry.vm()), entry);
        }
        fleet.take(kept);
        nodes.computeIfPresent(entry.node(), (name, status) -> status.saying(kept));
    }

    /** Takes a decision on which node a pod goes to. */
    public void received(PlacementDecision decision, Instant now) {
        why.add(new DecisionHistory.Subject.Pod(decision.label()), Explanation.of(decision, now));
    }

    /** Takes an observation of a migration. */
    public void received(MigrationObserved observation) {
        fleet.take(observation);
    }

    /** Takes the end of a migration's object. */
    public void received(MigrationGone end) {
        fleet.take(end);
    }

    /** Takes an observation of a pod; only pods that a migration created count here. */
    public void received(PodObserved pod) {
        fleet.take(pod);
    }

    /** Advances the time; to be called at {@link ChartHistory#FINE_STEP_MS}. */
    public void tick(Instant now) {
        fleet.forgetSilent(now, before -> close(before, now, now));
        fleet.sample(now);
    }

    /** Every change that may end a wait of a VM passes here, so that each end is recorded. */
    private void watching(VmId vm, Instant now, Runnable taking) {
        var before = fleet.find(vm.label());
        taking.run();
        if (before.isEmpty() || before.get().status().isEmpty()) {
            return;
        }
        var after = fleet.find(vm.label()).filter(status -> status.status().isPresent());
        if (after.map(VmStatus::waiting).filter(before.get().waiting()::equals).isEmpty()) {
            close(before.get(), after.map(VmStatus::since).orElse(now), now);
        }
    }

    private void close(VmStatus before, Instant end, Instant now) {
        var until = end.isBefore(before.since()) ? now : end;
        if (Duration.between(before.since(), until).compareTo(WORTH_KEEPING) >= 0) {
            var text = VmSentence.of(before, before.ledger(), fleet.migration(before.key()), until);
            why.add(new DecisionHistory.Subject.Vm(before.key()), before.explained(Optional.of(until), text));
        }
    }

    /** Returns the whole fleet, for a reader without a mark. */
    public FleetState fleet(Instant now) {
        return fleet.all(now);
    }

    /** Returns the changes since a mark; empty if too many removals since then are no longer kept. */
    public Optional<Delta> since(long mark, Instant now) {
        return fleet.since(mark, now);
    }

    /** Returns the state of a VM. */
    public Optional<VmStatus> vm(String key) {
        return fleet.find(key).filter(vm -> vm.observed().isPresent());
    }

    /** Returns a VM as the overview shows it. */
    public Optional<VmView> view(String key) {
        return fleet.find(key).flatMap(vm -> vm.observed().map(vm::view));
    }

    /** Returns its history over the last hours, oldest first. */
    public List<ChartHistory.Point> history(String key) {
        return fleet.history(key).map(ChartHistory::points).orElse(List.of());
    }

    /** Returns the sums of a node. */
    public Optional<NodeLedgerView> node(String name) {
        return fleet.node(name);
    }

    /** Returns how many VMs are known. */
    public int vmCount() {
        return fleet.vmCount();
    }

    /** Returns how many nodes are known. */
    public int nodeCount() {
        return fleet.nodeCount();
    }

    /** Returns how many decisions are kept. */
    public int reasonCount() {
        return why.total();
    }

    /**
     * Returns the VMs that a name may mean, sorted.
     *
     * @param name {@code namespace/name}, which means one at most, or a name alone
     */
    public List<String> meant(String name) {
        if (name.contains("/")) {
            boolean known = fleet.find(name).isPresent() || why.contains(new DecisionHistory.Subject.Vm(name));
            return known ? List.of(name) : List.of();
        }
        return Stream.concat(fleet.named(name).stream(), why.vmsNamed(name).stream())
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * Explains a VM's state.
     *
     * @param name {@code namespace/name}, or a name alone if only one VM has it
     * @param at the requested time; empty for now
     * @param ranking the order in which VMs would leave its node, if it arrived
     */
    public Why whyVm(String name, Optional<Instant> at, Optional<Ranking> ranking, Instant now) {
        var keys = meant(name);
        if (keys.isEmpty()) {
            return new Why.Unknown();
        }
        if (keys.size() > 1) {
            return new Why.Ambiguous(keys);
        }
        var vm = new VmWhy(fleet, why, keys.getFirst(), now);
        return at.filter(now::isAfter).<Why>map(vm::then).orElseGet(() -> vm.now(ranking));
    }

    /** The permit that the agent of a VM is denied now, by its {@code namespace/name}; empty if it is denied none. */
    public Optional<GrantQuery> deniedPermit(String key, Instant now) {
        return new VmWhy(fleet, why, key, now).denied();
    }

    /** The holds of which one would let a VM leave its node; none unless it should leave and cannot. */
    public List<GrantQuery> targets(String key, Optional<Ranking> ranking, Instant now) {
        var ledgers = nodes.values().stream().map(NodeStatus::ledger).toList();
        return new VmWhy(fleet, why, key, now).targets(ranking, ledgers);
    }

    /** Explains a pod's placement; {@code name} and {@code at} as for a VM. */
    public Why whyPod(String name, Optional<Instant> at, Instant now) {
        var keys = why.podsMeant(name);
        if (keys.isEmpty()) {
            return new Why.Unknown();
        }
        if (keys.size() > 1) {
            return new Why.Ambiguous(keys);
        }
        var time = at.filter(now::isAfter);
        var subject = new DecisionHistory.Subject.Pod(keys.getFirst());
        return PodWhy.of(keys.getFirst(), why.of(subject, time), time.orElse(now));
    }

    /** Explains in one sentence why a pod waits, by its {@code namespace/name}. */
    public String whyPending(String key, Instant createdAt, Instant now) {
        return PodWhy.waiting(why.of(new DecisionHistory.Subject.Pod(key), Optional.empty()), createdAt, now);
    }

    /** Explains a node's state; {@code at} as for a VM. */
    public Why whyNode(String name, Optional<Instant> at, Instant now) {
        var subject = new DecisionHistory.Subject.Node(name);
        var status = Optional.ofNullable(nodes.get(name));
        if (status.isEmpty() && !why.contains(subject)) {
            return new Why.Unknown();
        }
        return at.filter(now::isAfter)
                .<Why>map(time -> NodeWhy.then(name, status, why.of(subject, Optional.of(time)), time))
                .orElseGet(() ->
                        NodeWhy.now(name, status, fleet.hanging(name, now), why.of(subject, Optional.empty()), now));
    }
}
