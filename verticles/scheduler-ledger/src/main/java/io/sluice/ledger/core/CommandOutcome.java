package io.sluice.ledger.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a command came to.
 *
 * @param <A> the kind of reply
 * @param state the books afterwards: the very same instance where nothing changed
 * @param reply the answer to whoever sent the command; true only once the state is kept
 * @param notices what an operator should hear of
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

    CommandOutcome<A> noting(LedgerNotice notice) {
        var more = new ArrayList<>(notices);
        more.add(notice);
        return new CommandOutcome<>(state, reply, more);
    }
}
