package io.sluice.gateway.core.console;

import io.sluice.gateway.core.console.fleet.AmountText;
import io.sluice.gateway.core.console.fleet.DecisionView;
import io.sluice.messages.ledger.NodeLedgerView;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of a node, and since when.
 *
 * @param state which state
 * @param since when this state began
 * @param ledger its sums, as they were received last
 * @param decision the last decision on which VM leaves it, made in this state
 */
record NodeStatus(State state, Instant since, NodeLedgerView ledger, Optional<DecisionView> decision) {
    /** The states that are distinguished for users. */
    enum State {
        /** No full list of its pods has arrived yet. */
        INCOMPLETE,
        /** Its condition Ready is False or Unknown: nothing new is held there. */
        NOT_READY,
        /** It has not been ready for long: no VM there may grow. */
        GROWTH_STOPPED,
        /** VMs should leave. */
        UNDER_PRESSURE,
        /** It has room, or migrations under way free enough. */
        CALM;

        static State of(NodeLedgerView ledger) {
            if (!ledger.complete()) {
                return INCOMPLETE;
            }
            return switch (ledger.readiness()) {
                case NOT_READY -> NOT_READY;
                case GROWTH_STOPPED -> GROWTH_STOPPED;
                case READY -> ledger.underPressure() ? UNDER_PRESSURE : CALM;
            };
        }
    }

    static NodeStatus begun(NodeLedgerView ledger, Instant now) {
        return new NodeStatus(State.of(ledger), now, ledger, Optional.empty());
    }

    NodeStatus with(NodeLedgerView newer) {
        return new NodeStatus(state, since, newer, decision);
    }

    NodeStatus saying(DecisionView decision) {
        return new NodeStatus(state, since, ledger, Optional.of(decision));
    }

    /** Returns this state as an entry that ended then. */
    Reason closed(Instant until) {
        return reason(Optional.of(until), AmountText.cut(NodeSentence.of(this, until)));
    }

    /** Returns this state as an entry that continues; as it is not kept, none of its text is cut. */
    Reason open(Instant now) {
        return reason(Optional.empty(), NodeSentence.of(this, now));
    }

    private Reason reason(Optional<Instant> until, String text) {
        return new Reason(since, until, state.name(), "", ledger.node(), "", Optional.empty(), Optional.empty(), text);
    }
}
