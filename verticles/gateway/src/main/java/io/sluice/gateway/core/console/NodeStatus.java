package io.sluice.gateway.core.console;

import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.shell.explain.Explanation;
import java.time.Instant;
import java.util.Optional;

/**
 * The state of a node, and since when.
 *
 * @param state which state
 * @param since when this state began
 * @param ledger its sums, as they were received last
 * @param decision the last decision on which VM leaves it, made in this state or within the minute before
 */
record NodeStatus(State state, Instant since, NodeLedgerView ledger, Optional<Explanation> decision) {
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

    /** The status with newer sums. A decision is published once a minute, so a state that begins anew keeps it. */
    NodeStatus with(NodeLedgerView newer, Instant now) {
        var next = State.of(newer);
        return next == state
                ? new NodeStatus(state, since, newer, decision)
                : new NodeStatus(next, now, newer, decision.filter(last -> last.lastsUntil(now)));
    }

    NodeStatus saying(Explanation decision) {
        return new NodeStatus(state, since, ledger, Optional.of(decision));
    }

    /** Returns this state as an entry that ended then, or that continues. */
    Explanation explained(Optional<Instant> until, Instant now) {
        return Explanation.ofState(since, until, state.name(), "", ledger.node(), NodeSentence.of(this, now));
    }
}
