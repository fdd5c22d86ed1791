package io.sluice.simulation.exhaustive;

import io.sluice.ledger.core.InvariantChecks;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.cluster.NodeObserved;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.cluster.VmObserved;
import io.sluice.messages.ledger.LoadNode;
import io.sluice.simulation.exhaustive.digest.Interned;
import io.sluice.simulation.exhaustive.digest.WithoutRulings;
import java.util.ArrayList;
import java.util.concurrent.ConcurrentHashMap;

/** The values that the numbers of a state stand for, and what the real cores compute from them. */
final class Model {
    private static final int VERSIONS_A_LIST = 100;

    private final Setup setup;
    private final Runners runners;
    private final NodeLedger ledger = new NodeLedger(Timing.ledger(InvariantChecks.WHOLE));
    private final Interned<VmState> vms = new Interned<>();
    private final Interned<NodeState> nodes = new Interned<>();
    private final Interned<PodState> pods = new Interned<>();
    private final Interned<Placer> placers = new Interned<>();
    private final Interned<Message> messages = new Interned<>();
    private final ConcurrentHashMap<Cause, Ruling> rulings = new ConcurrentHashMap<>();

    private record Cause(int node, int clock, LedgerCommand<?> command) {}

    /**
     * The result of a command on a node's ledger.
     *
     * @param node the number of its state afterwards
     * @param reply its reply
     */
    record Ruling(int node, Object reply) {}

    Model(Setup setup) {
        this.setup = setup;
        this.runners = new Runners(setup.kinds());
    }

    Setup setup() {
        return setup;
    }

    Runners runners() {
        return runners;
    }

    VmState vm(SystemState state, int vm) {
        return vms.get(state.vm(vm));
    }

    int id(VmState vm) {
        return vms.id(vm);
    }

    NodeState node(SystemState state, int node) {
        return nodes.get(state.node(node));
    }

    int id(NodeState node) {
        return nodes.id(node);
    }

    PodState pod(SystemState state, int pod) {
        return pods.get(state.pod(pod));
    }

    int id(PodState pod) {
        return pods.id(pod);
    }

    Placer placer(SystemState state, int placer) {
        return placers.get(state.placer(placer));
    }

    int id(Placer placer) {
        return placers.id(placer);
    }

    /** A version that is newer than each full list that was begun. */
    long freshVersion(SystemState state) {
        return (long) VERSIONS_A_LIST * state.lists() + 1;
    }

    Message message(int message) {
        return messages.get(message);
    }

    int id(Message message) {
        return messages.id(message);
    }

    RunnerSnapshot runner(SystemState state, int vm) {
        return runners.get(state.runner(vm));
    }

    static int nodeOf(String name) {
        return Setup.NODES.indexOf(name);
    }

    /** The effect of a command on a node's state, computed once and then looked up. */
    Ruling run(int node, LedgerCommand<?> command, int clock) {
        var cause = new Cause(node, clock, command);
        var known = rulings.get(cause);
        return known != null ? known : rulings.computeIfAbsent(cause, this::workedOut);
    }

    private Ruling workedOut(Cause cause) {
        var outcome = ledger.apply(
                nodes.get(cause.node()),
                cause.command(),
                RunnerHost.instant(cause.clock()),
                incarnation(cause.command()));
        for (var notice : outcome.notices()) {
            if (notice instanceof LedgerNotice.InvariantsBroken broken) {
                throw new BrokenPromise("the ledger's sums add up", broken.toString());
            }
        }
        var state = outcome.state() == nodes.get(cause.node()) ? cause.node() : id(WithoutRulings.of(outcome.state()));
        return new Ruling(state, WithoutRulings.of(outcome.reply()));
    }

    /** Each full list has a number, which the requests for it name. */
    private static long incarnation(LedgerCommand<?> command) {
        return command instanceof LedgerCommand.Load(var list) ? -list.node().version() : 0;
    }

    /** Requests what the next full list has to name. */
    LedgerCommand.Load ahead(SystemState state, int node) {
        return new LedgerCommand.Load(LoadNode.ahead(object(state, node)));
    }

    private static NodeObserved object(SystemState state, int node) {
        var name = Setup.NODES.get(node);
        return new NodeObserved(name, state.lists() + 1, VmState.UNIT.times(Setup.total(name)));
    }

    /** The full list of a node as it is now. */
    LedgerCommand.Load fullList(SystemState state, int node) {
        var name = Setup.NODES.get(node);
        var pods = new ArrayList<PodObserved>();
        var listed = new ArrayList<VmObserved>();
        for (int vm = 0; vm < Setup.VMS; vm++) {
            var of = vm(state, vm);
            if (of.node().equals(name)) {
                pods.add(of.podObserved());
                listed.add(of.observed());
            }
        }
        for (int pod = 0; pod < setup.pods().size(); pod++) {
            var of = pod(state, pod);
            if (of.isBoundTo(name)) {
                pods.add(of.observed());
            }
        }
        return new LedgerCommand.Load(
                new LoadNode(object(state, node), (long) VERSIONS_A_LIST * (state.lists() + 1), pods, listed));
    }

    /** The number of different values of each kind, in words. */
    String sizes() {
        return runners.size() + " states of runners, " + nodes.size() + " of nodes, " + vms.size() + " of VMs, "
                + messages.size() + " messages";
    }
}
