package io.sluice.simulation.exhaustive;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.simulation.exhaustive.Setup.Budget;
import java.util.List;

/**
 * The steps of the ledger: three processes, each with a copy of each node's state; a majority must confirm before a
 * reply is sent. A command that only some of them stored, and that has no reply, equals one whose reply was lost, or
 * one that was lost itself. Both are played as messages. So the model keeps only how many processes hold the current
 * state, and what an older copy holds.
 */
final class LedgerSteps {
    private static final int ALL_COPIES = 3;
    private static final int NODES = Setup.NODES.size();

    private final Model model;

    LedgerSteps(Model model) {
        this.model = model;
    }

    void of(SystemState state, List<Step> steps) {
        for (int node = 0; node < NODES; node++) {
            boolean due = !model.node(state, node).fullList().complete() && !listIsUnderWay(state, node);
            Steps.add(steps, Step.Kind.FULL_LIST_BEGINS, node, due || state.may(Budget.FULL_LISTS));
        }
        Steps.add(steps, Step.Kind.STATE_IS_LOST, 0, state.may(Budget.LOSSES));
        Steps.add(steps, Step.Kind.LEDGER_DIES, 0, state.may(Budget.DEATHS));
        Steps.add(steps, Step.Kind.LEDGER_IS_CUT_OFF, 0, state.may(Budget.CUTS) && state.copies() == ALL_COPIES);
        Steps.add(steps, Step.Kind.LEDGER_COPIES, 0, state.copies() < ALL_COPIES);
        boolean stale = state.stale(0) != 0 && state.may(Budget.STALE_RETURNS) && state.copies() == 1;
        Steps.add(steps, Step.Kind.STALE_LEDGER_RETURNS, 0, stale);
    }

    private boolean listIsUnderWay(SystemState state, int node) {
        for (int at = 0; at < state.messages(); at++) {
            if (model.message(state.message(at)) instanceof Message.Observed observed
                    && observed.command() instanceof LedgerCommand.Load
                    && Model.nodeOf(observed.node()) == node) {
                return true;
            }
        }
        return false;
    }

    void apply(SystemState next, Step step) {
        switch (step.kind()) {
            case LEDGER_OBSERVES ->
                run(next, new LedgerCommand.ObserveVm(model.vm(next, step.of()).observed()));
            case OBSERVATION_WAITS -> {
                next.spend(Budget.DELAYED_OBSERVATIONS);
                var object = model.vm(next, step.of());
                next.add(model.id(new Message.Observed(object.node(), new LedgerCommand.ObserveVm(object.observed()))));
            }
            case FULL_LIST_BEGINS -> {
                if (model.node(next, step.of()).fullList().complete()) {
                    next.spend(Budget.FULL_LISTS);
                }
                var replied = (LoadReply) run(next, model.ahead(next, step.of()));
                var list = model.fullList(next, step.of()).fullList();
                next.lists(next.lists() + 1);
                next.add(model.id(new Message.Observed(
                        Setup.NODES.get(step.of()),
                        new LedgerCommand.Load(list.relist(replied.relist().orElseThrow())))));
            }
            case STATE_IS_LOST -> {
                next.spend(Budget.LOSSES);
                blank(next);
                next.copies(ALL_COPIES);
            }
            case LEDGER_DIES -> {
                next.spend(Budget.DEATHS);
                next.copies(next.copies() - 1);
                if (next.copies() == 0) {
                    blank(next);
                    next.copies(ALL_COPIES);
                }
            }
            case LEDGER_IS_CUT_OFF -> {
                next.spend(Budget.CUTS);
                next.copies(next.copies() - 1);
                for (int node = 0; node < NODES; node++) {
                    next.stale(node, next.node(node) + 1);
                }
            }
            case LEDGER_COPIES -> next.copies(ALL_COPIES);
            case STALE_LEDGER_RETURNS -> {
                next.spend(Budget.STALE_RETURNS);
                for (int node = 0; node < NODES; node++) {
                    next.node(node, next.stale(node) - 1);
                    next.stale(node, 0);
                }
                next.copies(ALL_COPIES);
            }
            default -> throw new IllegalArgumentException("not of the ledger: " + step);
        }
    }

    void blank(SystemState state) {
        for (int node = 0; node < NODES; node++) {
            state.node(node, model.id(NodeState.blank(Setup.NODES.get(node))));
        }
    }

    /** Runs a command on the node that it names. */
    Object run(SystemState next, LedgerCommand<?> command) {
        int node = Model.nodeOf(
                switch (command) {
                    case LedgerCommand.Open(var request) -> request.node();
                    case LedgerCommand.RequestPermit request ->
                        request.request().node();
                    case LedgerCommand.Load(var list) -> list.node().node();
                    case LedgerCommand.ReclaimReservation(var read) -> read.node();
                    case LedgerCommand.ObserveVm(var observed) -> observed.node();
                    default -> throw new IllegalArgumentException("not played here: " + command);
                });
        return run(next, node, command);
    }

    /** Runs a command on a node. */
    Object run(SystemState next, int node, LedgerCommand<?> command) {
        var ruling = model.run(next.node(node), command, next.clock());
        next.node(node, ruling.node());
        return ruling.reply();
    }

    /** Whether an observation of the VM would be newer than the ledger's. */
    boolean observes(SystemState state, VmState object) {
        return model.node(state, Model.nodeOf(object.node()))
                .reservations()
                .find(object.pod())
                .filter(reservation -> reservation
                        .observations()
                        .vm()
                        .filter(observed -> observed.version() >= object.version())
                        .isEmpty())
                .isPresent();
    }

    boolean isSame(SystemState one, SystemState other) {
        for (int node = 0; node < NODES; node++) {
            if (one.node(node) != other.node(node)) {
                return false;
            }
        }
        return true;
    }
}
