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
public record Outcome<A>(NodeState state, A reply, List<LedgerNotice> notices) {
    public Outcome {
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(reply, "reply");
        notices = List.copyOf(notices);
    }

    static <A> Outcome<A> of(NodeState state, A reply) {
        return new Outcome<>(state, reply, List.of());
    }

    Outcome<A> noting(LedgerNotice notice) {
        var more = new ArrayList<>(notices);
        more.add(notice);
        return new Outcome<>(state, reply, more);
    }
}
