package io.sluice.gateway.core.console;

import io.sluice.messages.ledger.NodeLedgerView;
import java.time.Instant;
import java.util.Optional;

/**
 * How a node stands, and since when.
 *
 * @param state which way
 * @param since since when it has stood that way
 * @param books its sums, as they were last heard of
 * @param said the last decision on who leaves it, made while it stood that way
 */
record NodeStatus(State state, Instant since, NodeLedgerView books, Optional<DecisionView> said) {
    /** The ways to stand that a person would tell apart. */
    enum State {
        /** What runs there was not listed yet. */
        INCOMPLETE,
        /** Its condition Ready is False or Unknown: it takes nothing new. */
        NOT_READY,
        /** That is so for long: nothing there may grow. */
        GROWTH_STOPPED,
        /** VMs should leave. */
        UNDER_PRESSURE,
        /** It has room, or whoever is to leave is leaving. */
        CALM;

        static State of(NodeLedgerView books) {
            if (!books.complete()) {
                return INCOMPLETE;
            }
            return switch (books.readiness()) {
                case NOT_READY -> NOT_READY;
                case GROWTH_STOPPED -> GROWTH_STOPPED;
                case READY -> books.underPressure() ? UNDER_PRESSURE : CALM;
            };
        }
    }

    static NodeStatus begun(NodeLedgerView books, Instant now) {
        return new NodeStatus(State.of(books), now, books, Optional.empty());
    }

    NodeStatus with(NodeLedgerView newer) {
        return new NodeStatus(state, since, newer, said);
    }

    NodeStatus saying(DecisionView decision) {
        return new NodeStatus(state, since, books, Optional.of(decision));
    }

    /** How it stood until then. */
    Reason closed(Instant until) {
        return reason(Optional.of(until), AmountText.cut(NodeSentence.of(this, until)));
    }

    /** How it stands still; as that is not kept, none of its numbers are cut off. */
    Reason open(Instant now) {
        return reason(Optional.empty(), NodeSentence.of(this, now));
    }

    private Reason reason(Optional<Instant> until, String text) {
        return new Reason(since, until, state.name(), "", books.node(), "", Optional.empty(), Optional.empty(), text);
    }
}
