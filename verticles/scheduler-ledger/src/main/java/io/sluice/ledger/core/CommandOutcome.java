package io.sluice.ledger.core;

import io.sluice.ledger.core.state.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The result of a command.
 *
 * @param <A> the type of the reply
 * @param state the ledger state after the command; the same instance where nothing changed
 * @param reply the reply to the sender of the command; valid only once the state is stored
 * @param notices what is logged and counted besides the reply
 */
public record CommandOutcome<A>(NodeState state, A reply, List<LedgerNotice> notices) {
    public CommandOutcome {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(reply, "reply");
        notices = List.copyOf(notices);
    }

    static <A> CommandOutcome<A> of(NodeState state, A reply) {
        return new CommandOutcome<>(state, reply, List.of());
    }

    /** The same with another state. */
    CommandOutcome<A> at(NodeState newState) {
        return newState == state ? this : new CommandOutcome<>(newState, reply, notices);
    }

    CommandOutcome<A> noting(LedgerNotice notice) {
        var more = new ArrayList<>(notices);
        more.add(notice);
        return new CommandOutcome<>(state, reply, more);
    }
}
