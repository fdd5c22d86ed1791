package io.sluice.bench.placement;

import io.sluice.bench.permits.Members;
import io.sluice.ledger.LedgerConfig;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The node ledgers of many nodes, in memory and with all checks of the default config. Its VMs get 1 000 permits a
 * second, on the same core as everything else. Far more pods end than on real nodes, so a node has a full list after
 * each 100 of them, and not each five minutes.
 */
final class LoadedLedger {
    private static final String RUNNER = "bench";
    private static final String NAMESPACE = "default";
    private static final long PERMIT_EVERY_NANOS = 1_000_000;
    private static final long BEHIND_NANOS_MAX = 1_000_000_000;
    private static final int ENDS_PER_LIST = 100;

    private final NodeLedger ledger = new NodeLedger(LedgerConfig.DEFAULTS.rules());
    private final Map<String, Node> nodes = new HashMap<>();
    private final List<Vm> vms = new ArrayList<>();
    private final Consumer<NodeLedgerView> changed;
    private final long begun = System.nanoTime();
    private long dueAt = begun;
    private long version = 1;
    private long requests;

    /** @param changed gets the sums of each node that has changed */
    LoadedLedger(Consumer<NodeLedgerView> changed) {
        this.changed = changed;
    }

    private record Vm(String node, String pod, long session) {}

    /** A node's ledger, and what a full list of it has. */
    private static final class Node {
        private final NodeObserved observed;
        private final Map<String, PodObserved> pods = new HashMap<>();
        private final List<VmObserved> vms = new ArrayList<>();
        private NodeState state;
        private int ends;

        Node(NodeObserved observed) {
            this.observed = observed;
            this.state = NodeState.blank(observed.node());
        }

        LoadNode list(long version) {
            return new LoadNode(observed, version, List.copyOf(pods.values()), List.copyOf(vms));
        }
    }

    /** Adds an empty node. */
    void node(String name, Resources total) {
        var node = new NodeObserved(name, version, total);
        nodes.put(name, new Node(node));
        var requested = apply(name, new LedgerCommand.Load(LoadNode.ahead(node)));
        var list = nodes.get(name).list(version).relist(requested.relist().orElseThrow());
        apply(name, new LedgerCommand.Load(list));
    }

    /** Holds room for a pod; returns whether there was some. */
    boolean hold(String uid, String node, Resources amounts) {
        var request = new HoldRoom(
                node, uid, NAMESPACE, uid, "", amounts, Overcommit.OFF, HoldRoom.UNTIL_RELEASED, uid + "/attempt");
        return apply(node, new LedgerCommand.Hold(request)) instanceof HoldReply.Held;
    }

    /** Applies the observation of a bound pod. */
    void bound(String uid, String node, String vm, Resources amounts) {
        var pod = new PodObserved(uid, NAMESPACE, uid, node, vm, ++version, amounts, version);
        nodes.get(node).pods.put(uid, pod);
        apply(node, new LedgerCommand.ObservePod(pod));
    }

    /** Applies the end of a pod. */
    void gone(String uid, String node) {
        var on = nodes.get(node);
        on.pods.remove(uid);
        apply(node, new LedgerCommand.LosePod(new PodGone(uid, node, ++version)));
        if (++on.ends % ENDS_PER_LIST == 0) {
            apply(node, new LedgerCommand.Load(on.list(++version)));
        }
    }

    /** Adds a VM that requests permits from now on. */
    void vm(int number, String node) {
        var pod = Members.pod(number);
        bound(pod, node, "vm-" + number, Members.UNIT);
        var vm = Members.vm(number, node);
        nodes.get(node).vms.add(vm);
        apply(node, new LedgerCommand.ObserveVm(vm));
        var opened = apply(node, new LedgerCommand.Open(new OpenSession(node, pod, RUNNER, 0)));
        if (!(opened instanceof OpenReply.Opened session)) {
            throw new IllegalStateException("no session was opened: " + opened);
        }
        vms.add(new Vm(node, pod, session.session()));
    }

    /** Grants the permits that are due by now; returns how many. */
    int grantDue() {
        long now = System.nanoTime();
        dueAt = Math.max(dueAt, now - BEHIND_NANOS_MAX);
        int granted = 0;
        for (; dueAt <= now; dueAt += PERMIT_EVERY_NANOS) {
            grant(vms.get((int) (requests % vms.size())), requests / vms.size() + 1);
            requests++;
            granted++;
        }
        return granted;
    }

    private void grant(Vm vm, long seq) {
        var reply = apply(
                vm.node(),
                new LedgerCommand.RequestPermit(new PermitRequest(
                        vm.node(),
                        vm.pod(),
                        RUNNER,
                        vm.session(),
                        seq,
                        Members.UNIT,
                        Members.UNIT.times(seq % 2 == 0 ? 1 : 2),
                        Optional.empty(),
                        Optional.empty())));
        if (!(reply instanceof PermitReply.Ruled)) {
            throw new IllegalStateException("no permit was decided: " + reply);
        }
    }

    private <A> A apply(String node, LedgerCommand<A> command) {
        var on = nodes.get(node);
        var before = on.state;
        var outcome = ledger.apply(before, command, Instant.EPOCH.plusNanos(System.nanoTime() - begun), ++version);
        on.state = outcome.state();
        if (outcome.state() != before) {
            changed.accept(LedgerView.summary(outcome.state(), 0));
        }
        return outcome.reply();
    }
}
