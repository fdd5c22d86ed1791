package io.sluice.replay.core.nodes;

import io.sluice.devices.NodeDevices;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.cluster.VmPhase;
import io.sluice.messages.cluster.VmSizes;
import io.sluice.messages.cluster.VmTraits;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.messages.ledger.permit.ReportedUse;
import io.sluice.placement.core.NodeRanking;
import io.sluice.placement.core.NodeTable;
import io.sluice.placement.core.PlacementAttempt;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.replay.core.vm.PermitSource;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import io.sluice.units.VmId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Nodes with production's ledger: each VM is placed by the pipeline of placement, held and opened as in production, and
 * gets its permits there, also after it has moved. Requests of one node come one at a time.
 */
final class ReplayedNodes {
    private static final Instant START = Instant.EPOCH;
    private static final long PODS_MAX = 100_000;
    static final String NAMESPACE = "replay";
    static final String DRIVER = "replay";

    private final NodeLedger ledger;
    private final Map<String, NodeState> states = new HashMap<>();
    private final NodeTable table = new NodeTable();
    private final List<NodeObserved> observed = new ArrayList<>();
    private final Map<String, NodeState> lookedAt = new HashMap<>();
    private final NodeRanking ranking;
    private final Resources unit;
    private long version = 1;

    ReplayedNodes(NodeSizes spec, Resources unit, NodeRules rules) {
        this.unit = unit;
        ledger = new NodeLedger(rules.ledger());
        ranking = new NodeRanking(rules.placement().get());
        var fixed = FixedAmounts.of(Map.of(FixedAmounts.PODS, PODS_MAX));
        for (int i = 0; i < spec.totals().size(); i++) {
            var name = "node-" + i;
            var node = new NodeObserved(name, 1, spec.totals().get(i), "", List.of(), true, fixed, NodeDevices.NONE);
            observed.add(node);
            var blank = NodeState.blank(name).named(1, START);
            var list = new LoadNode(node, 1, List.of(), List.of()).relist(1);
            states.put(
                    name,
                    ledger.apply(blank, new LedgerCommand.Load(list), START, 1).state());
            table.observed(LedgerView.summary(states.get(name), 0));
        }
    }

    List<NodeObserved> observed() {
        return observed;
    }

    /** Grows with each observation. */
    long version() {
        return ++version;
    }

    /** The sums of the nodes that changed since the last call. */
    List<NodeLedgerView> changed() {
        var changed = new ArrayList<NodeLedgerView>();
        for (var node : observed) {
            var state = states.get(node.node());
            if (lookedAt.put(node.node(), state) != state) {
                changed.add(LedgerView.summary(state, 0));
            }
        }
        return changed;
    }

    /** A node with its reservations; all nodes for an empty name. */
    List<NodeLedgerView> views(String name) {
        return observed.stream()
                .map(NodeObserved::node)
                .filter(node -> name.isEmpty() || name.equals(node))
                .map(node -> LedgerView.full(states.get(node), 0))
                .toList();
    }

    /** For each node a character: {@code -} if nothing is reserved there, else the tenth of it that is. */
    String use() {
        var text = new StringBuilder();
        for (var node : observed) {
            var state = states.get(node.node());
            var reserved = state.sums().reserved();
            var total = state.size().total();
            double cpu = (double) reserved.milliCpu() / total.milliCpu();
            double memory = (double) reserved.memoryBytes() / total.memoryBytes();
            double share = Math.max(cpu, memory);
            text.append(share == 0 ? '-' : (char) ('0' + Math.min(9, (int) (10 * share))));
        }
        return text.toString();
    }

    <A> A apply(String node, LedgerCommand<A> command, Instant at) {
        var outcome = ledger.apply(states.get(node), command, at, 1);
        states.put(node, outcome.state());
        return outcome.reply();
    }

    /**
     * Where a VM stands.
     *
     * @param podName of the pod that it runs in
     */
    record Place(String node, String podName) {
        String podUid() {
            return "pod-" + podName;
        }
    }

    /** A VM on its node, and its permits there. */
    static final class Placed implements PermitSource {
        private final ReplayedNodes nodes;
        private final String name;
        private final Resources max;
        private Place place;
        private Resources size;
        private long session;
        private long seq;
        private long denied;
        private boolean deniedBefore;

        private Placed(ReplayedNodes nodes, String name, Place place, Resources size, Resources max) {
            this.nodes = nodes;
            this.name = name;
            this.place = place;
            this.size = size;
            this.max = max;
        }

        String name() {
            return name;
        }

        String node() {
            return place.node();
        }

        Place place() {
            return place;
        }

        String podName() {
            return place.podName();
        }

        String podUid() {
            return place.podUid();
        }

        /** How many upscales the ledger denied, in whole or in part; repeats of a denied request are one. */
        long denied() {
            return denied;
        }

        void resized(long units) {
            size = nodes.unit.times(units);
        }

        void moveTo(Place target) {
            place = target;
        }

        /** A runner opens a session for its pod; false if the ledger refuses it. */
        boolean open(Instant at) {
            var reply = nodes.apply(node(), new LedgerCommand.Open(new OpenSession(node(), podUid(), podUid(), 0)), at);
            seq = 0;
            session = reply instanceof OpenReply.Opened opened ? opened.session() : 0;
            return session > 0;
        }

        /** Its pod as it is observed now. */
        PodObserved pod(String migration) {
            return podAt(place, migration);
        }

        PodObserved podAt(Place at, String migration) {
            var fixed = FixedAmounts.of(Map.of(FixedAmounts.PODS, 1L));
            return new PodObserved(
                    at.podUid(), NAMESPACE, at.podName(), at.node(), name, nodes.version(), size, 0, migration, fixed);
        }

        VmObserved vm(VmPhase phase) {
            return new VmObserved(
                    new VmId(DRIVER, NAMESPACE, name, name),
                    nodes.version(),
                    podUid(),
                    podName(),
                    node(),
                    phase,
                    true,
                    true,
                    false,
                    new VmSizes(nodes.unit, max, size, Optional.of(size), nodes.unit.memoryBytes()),
                    Overcommit.OFF,
                    ScalingOverrides.NONE,
                    Optional.empty(),
                    Optional.empty(),
                    "",
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    VmTraits.NONE);
        }

        @Override
        public Granted request(Resources target, Optional<Float> load1, Optional<ReportedUse> use, Instant at) {
            seq++;
            var request = new PermitRequest(
                    node(), podUid(), podUid(), session, seq, nodes.unit, target, Optional.empty(), load1, use);
            if (!(nodes.apply(node(), new LedgerCommand.RequestPermit(request), at)
                    instanceof PermitReply.Ruled ruled)) {
                throw new IllegalStateException("the ledger did not rule on " + request);
            }
            boolean isDenied = target.exceeds(ruled.permit());
            denied += isDenied && !deniedBefore ? 1 : 0;
            deniedBefore = isDenied;
            return new Granted(ruled.permit(), Optional.of(ruled.validFor()));
        }
    }

    /** Placement gets the sums of all nodes as they are now. */
    void publish() {
        states.values().forEach(state -> table.observed(LedgerView.summary(state, 0)));
    }

    /** Places a VM with its size at the start; empty if it fits nowhere. */
    Optional<Placed> place(String name, Resources size, Resources max, Instant at) {
        var unplaced = new Placed(this, name, new Place("", name), size, max);
        var pod = new PodToPlace(unplaced.pod(""), Overcommit.OFF);
        var names = observed.stream().map(NodeObserved::node).toList();
        return ranking.best(pod, names, table).flatMap(node -> {
            var attempt = new PlacementAttempt(pod, node, Optional.of("attempt-" + name));
            if (!(attempt.begin() instanceof PlacementAttempt.Hold(var hold))
                    || !(apply(node, new LedgerCommand.Hold(hold), at) instanceof HoldReply.Held)) {
                return Optional.empty();
            }
            var placed = new Placed(this, name, new Place(node, name), size, max);
            apply(node, new LedgerCommand.ObservePod(placed.pod("")), at);
            apply(node, new LedgerCommand.ObserveVm(placed.vm(VmPhase.RUNNING)), at);
            table.observed(LedgerView.summary(states.get(node), 0));
            return placed.open(at) ? Optional.of(placed) : Optional.empty();
        });
    }
}
