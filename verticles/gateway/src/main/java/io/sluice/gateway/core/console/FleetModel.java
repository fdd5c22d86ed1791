package io.sluice.gateway.core.console;

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
import io.sluice.messages.pressure.PressureDecision;
import io.sluice.messages.pressure.Ranking;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything that the console knows, from what is said on the bus: how the fleet stands, how it changes, how each VM
 * stood over the last hours, and why. Everything in it has a bound.
 */
public final class FleetModel {
    /** What a VM waited for less long than this is a step on its way, and not worth remembering. */
    private static final Duration WORTH_KEEPING = Duration.ofSeconds(2);

    private static final int NODES_MAX = 5_000;

    private final FleetView fleet = new FleetView();
    private final DecisionHistory why = new DecisionHistory();
    private final Map<String, NodeStatus> nodes = new BoundedMap<>(NODES_MAX);

    /** Takes the sums of a node. */
    public void heard(NodeLedgerView books, Instant now) {
        fleet.take(books);
        stands(books, now);
    }

    /** Takes the books of all nodes, which are all that there are. */
    public void heard(Snapshot all, Instant now) {
        fleet.take(all);
        var named = new HashSet<String>();
        for (var books : all.nodes()) {
            named.add(books.node());
            fleet.node(books.node()).ifPresent(sums -> stands(sums, now));
        }
        nodes.keySet().retainAll(named);
    }

    private void stands(NodeLedgerView books, Instant now) {
        var before = nodes.get(books.node());
        if (before != null && before.state() == NodeStatus.State.of(books)) {
            nodes.put(books.node(), before.with(books));
            return;
        }
        if (before != null) {
            why.add(new DecisionHistory.Subject.Node(books.node()), before.closed(now));
        }
        nodes.put(books.node(), NodeStatus.begun(books, now));
    }

    /** Takes the end of a node. */
    public void heard(NodeGone end) {
        fleet.take(end);
        nodes.remove(end.node());
    }

    /** Takes a fact about a VM. */
    public void heard(VmObserved vm, Instant now) {
        watching(vm.vm(), now, () -> fleet.take(vm, now));
    }

    /** Takes the end of a VM. */
    public void heard(VmGone end, Instant now) {
        watching(end.vm(), now, () -> fleet.take(end));
    }

    /** Takes what a runner says of its VM. */
    public void heard(RunnerStatus status, Instant now) {
        watching(status.vm(), now, () -> fleet.take(status, now));
    }

    /** Takes what the ledger reports of a VM whose agent is not one of ours; a denial is a decision too. */
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
            heard(
                    new Decision(
                            Decision.Kind.DENIED,
                            status.vm(),
                            status.node(),
                            status.size(),
                            goal.get(),
                            Optional.empty(),
                            GoalBasis.NONE,
                            status.reason()),
                    now);
        }
    }

    /** Takes a decision on a VM's size. */
    public void heard(Decision decision, Instant now) {
        var view = DecisionView.of(decision, now);
        fleet.take(view);
        var reason = Reason.of(view);
        why.add(new DecisionHistory.Subject.Vm(view.vm()), reason);
        if (decision.kind() == Decision.Kind.DENIED) {
            why.add(new DecisionHistory.Subject.Node(view.node()), reason);
        }
    }

    /** Takes a decision on who leaves a node. */
    public void heard(PressureDecision decision, Instant now) {
        var view = DecisionView.of(decision, now);
        fleet.take(view);
        var reason = Reason.of(view);
        Stream.of(view.node(), view.toNode())
                .filter(node -> !node.isEmpty())
                .distinct()
                .forEach(node -> why.add(new DecisionHistory.Subject.Node(node), reason));
        if (!view.vm().isEmpty()) {
            why.add(new DecisionHistory.Subject.Vm(view.vm()), reason);
        }
        nodes.computeIfPresent(view.node(), (name, standing) -> standing.saying(view));
    }

    /** Takes a fact about a migration. */
    public void heard(MigrationObserved fact) {
        fleet.take(fact);
    }

    /** Takes the end of a migration's object. */
    public void heard(MigrationGone end) {
        fleet.take(end);
    }

    /** Takes a fact about a pod; only those that a migration made count here. */
    public void heard(PodObserved pod) {
        fleet.take(pod);
    }

    /** Time has passed; to be called at {@link ChartHistory#FINE_STEP_MS}. */
    public void tick(Instant now) {
        fleet.forgetSilent(now, before -> close(before, now, now));
        fleet.sample(now);
    }

    /** Whatever ends what a VM waited for is found out here, so that no way to end it is missed. */
    private void watching(VmId vm, Instant now, Runnable taking) {
        var before = fleet.find(vm.label());
        taking.run();
        if (before.isEmpty() || before.get().status().isEmpty()) {
            return;
        }
        var after = fleet.find(vm.label()).filter(standing -> standing.status().isPresent());
        if (after.map(VmStatus::waiting).filter(before.get().waiting()::equals).isEmpty()) {
            close(before.get(), after.map(VmStatus::since).orElse(now), now);
        }
    }

    private void close(VmStatus before, Instant end, Instant now) {
        var until = end.isBefore(before.since()) ? now : end;
        if (Duration.between(before.since(), until).compareTo(WORTH_KEEPING) >= 0) {
            var text = VmSentence.of(before, before.books(), fleet.migration(before.key()), until);
            why.add(new DecisionHistory.Subject.Vm(before.key()), Reason.of(before, Optional.of(until), text));
        }
    }

    /** Everything, for a reader that knows nothing yet. */
    public FleetState fleet(Instant now) {
        return fleet.all(now);
    }

    /** What changed since a mark; empty where too much is gone since to be told. */
    public Optional<Delta> since(long mark, Instant now) {
        return fleet.since(mark, now);
    }

    /** All that is known of a VM. */
    public Optional<VmStatus> vm(String key) {
        return fleet.find(key).filter(vm -> vm.seen().isPresent());
    }

    /** A VM as the overview shows it. */
    public Optional<VmView> view(String key) {
        return fleet.find(key).flatMap(vm -> vm.seen().map(vm::view));
    }

    /** How it stood over the last hours, oldest first. */
    public List<ChartHistory.Point> history(String key) {
        return fleet.history(key).map(ChartHistory::points).orElse(List.of());
    }

    /** The sums of a node. */
    public Optional<NodeLedgerView> node(String name) {
        return fleet.node(name);
    }

    /** How many VMs are known. */
    public int vmCount() {
        return fleet.vmCount();
    }

    /** How many nodes are known. */
    public int nodeCount() {
        return fleet.nodeCount();
    }

    /** How many reasons are kept. */
    public int reasonCount() {
        return why.total();
    }

    /**
     * The VMs that a name could mean, sorted.
     *
     * @param name {@code namespace/name}, which means one at most, or a name alone
     */
    public List<String> meant(String name) {
        if (name.contains("/")) {
            boolean known = fleet.find(name).isPresent() || why.knows(new DecisionHistory.Subject.Vm(name));
            return known ? List.of(name) : List.of();
        }
        return Stream.concat(fleet.named(name).stream(), why.vmsNamed(name).stream())
                .distinct()
                .sorted()
                .toList();
    }

    /**
     * Why a VM stands as it does.
     *
     * @param name {@code namespace/name}, or a name alone where that is enough
     * @param at the time in question; empty for now
     * @param ranking who would leave its node, where somebody told
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

    /** Why a node stands as it does; {@code at} as for a VM. */
    public Why whyNode(String name, Optional<Instant> at, Instant now) {
        var subject = new DecisionHistory.Subject.Node(name);
        var standing = Optional.ofNullable(nodes.get(name));
        if (standing.isEmpty() && !why.knows(subject)) {
            return new Why.Unknown();
        }
        return at.filter(now::isAfter)
                .<Why>map(time -> NodeWhy.then(name, standing, why.of(subject, Optional.of(time)), time))
                .orElseGet(() ->
                        NodeWhy.now(name, standing, fleet.hanging(name, now), why.of(subject, Optional.empty()), now));
    }
}
