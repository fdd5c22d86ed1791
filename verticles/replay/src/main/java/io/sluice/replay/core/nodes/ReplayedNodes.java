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
 * Equal nodes with production's ledger: each VM is placed by the pipeline of placement, held and opened as in
 * production, and gets its permits there. Requests of one node come one at a time.
 */
final class ReplayedNodes {
    private static final Instant START = Instant.EPOCH;
    private static final long PODS_MAX = 100_000;
    private static final String NAMESPACE = "replay";

    private final NodeLedger ledger;
    private final Map<String, NodeState> states = new HashMap<>();
    private final NodeTable table = new NodeTable();
    private final List<String> names = new ArrayList<>();
    private final NodeRanking ranking;
    private final Resources unit;

    ReplayedNodes(EqualNodes spec, Resources unit, NodeRules rules) {
        this.unit = unit;
        ledger = new NodeLedger(rules.ledger());
        ranking = new NodeRanking(rules.placement().get());
        var fixed = FixedAmounts.of(Map.of(FixedAmounts.PODS, PODS_MAX));
        for (int i = 0; i < spec.count(); i++) {
            var name = "node-" + i;
            names.add(name);
            var observed = new NodeObserved(name, 1, spec.total(), "", List.of(), true, fixed, NodeDevices.NONE);
            var blank = NodeState.blank(name).named(1, START);
            var list = new LoadNode(observed, 1, List.of(), List.of()).relist(1);
            states.put(
                    name,
                    ledger.apply(blank, new LedgerCommand.Load(list), START, 1).state());
            table.observed(LedgerView.summary(states.get(name), 0));
        }
    }

    /** The permits of a VM on its node. */
    static final class Placed implements PermitSource {
        private final ReplayedNodes nodes;
        private final String node;
        private final String pod;
        private final long session;
        private long seq;
        private long denied;
        private boolean deniedBefore;

        private Placed(ReplayedNodes nodes, String node, String pod, long session) {
            this.nodes = nodes;
            this.node = node;
            this.pod = pod;
            this.session = session;
        }

        String node() {
            return node;
        }

        /** How many upscales the ledger denied, in whole or in part; repeats of a denied request are one. */
        long denied() {
            return denied;
        }

        @Override
        public Granted request(Resources target, Optional<ReportedUse> use, Instant at) {
            seq++;
            var request = new PermitRequest(
                    node, pod, pod, session, seq, nodes.unit, target, Optional.empty(), Optional.empty(), use);
            var outcome = nodes.ledger.apply(nodes.states.get(node), new LedgerCommand.RequestPermit(request), at, 1);
            nodes.states.put(node, outcome.state());
            if (!(outcome.reply() instanceof PermitReply.Ruled ruled)) {
                throw new IllegalStateException("the ledger replied " + outcome.reply() + " to " + request);
            }
            boolean isDenied = target.exceeds(ruled.permit());
            denied += isDenied && !deniedBefore ? 1 : 0;
            deniedBefore = isDenied;
            return new Granted(ruled.permit(), Optional.of(ruled.validFor()));
        }
    }

    /** Places a VM with its size at the start; empty if it fits nowhere. */
    Optional<Placed> place(String name, Resources size, Resources max) {
        var fixed = FixedAmounts.of(Map.of(FixedAmounts.PODS, 1L));
        var uid = "pod-" + name;
        var waiting = new PodObserved(uid, NAMESPACE, name, "", name, 1, size, 0, "", fixed);
        var pod = new PodToPlace(waiting, Overcommit.OFF);
        return ranking.best(pod, names, table).flatMap(node -> {
            var attempt = new PlacementAttempt(pod, node, Optional.of("attempt-" + name));
            if (!(attempt.begin() instanceof PlacementAttempt.Hold(var hold))
                    || !(apply(node, new LedgerCommand.Hold(hold)) instanceof HoldReply.Held)) {
                return Optional.empty();
            }
            apply(
                    node,
                    new LedgerCommand.ObservePod(
                            new PodObserved(uid, NAMESPACE, name, node, name, 2, size, 0, "", fixed)));
            apply(node, new LedgerCommand.ObserveVm(observed(name, uid, node, size, max)));
            table.observed(LedgerView.summary(states.get(node), 0));
            return apply(node, new LedgerCommand.Open(new OpenSession(node, uid, uid, 0)))
                            instanceof OpenReply.Opened opened
                    ? Optional.of(new Placed(this, node, uid, opened.session()))
                    : Optional.empty();
        });
    }

    private <A> A apply(String node, LedgerCommand<A> command) {
        var outcome = ledger.apply(states.get(node), command, START, 1);
        states.put(node, outcome.state());
        return outcome.reply();
    }

    private VmObserved observed(String name, String pod, String node, Resources size, Resources max) {
        return new VmObserved(
                new VmId("replay", NAMESPACE, name, name),
                1,
                pod,
                name,
                node,
                VmPhase.RUNNING,
                true,
                false,
                false,
                new VmSizes(unit, max, size, Optional.of(size), unit.memoryBytes()),
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
}
