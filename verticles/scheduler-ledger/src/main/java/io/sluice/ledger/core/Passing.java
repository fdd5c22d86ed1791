package io.sluice.ledger.core;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;

/** What time alone brings. */
final class Passing {
    /** A node that is gone and empty is remembered this long, so that a late fact does not bring it back. */
    private static final Duration GONE_FOR = Duration.ofMinutes(10);

    private Passing() {}

    static Outcome<Integer> tick(NodeState state, Instant now) {
        if (isForgotten(state, now)) {
            return Outcome.of(NodeState.blank(state.node()), 1);
        }
        var notices = new ArrayList<LedgerNotice>();
        var next = state;
        int changes = 0;
        for (var member : state.members()) {
            if (hasRunOut(member, now)) {
                next = next.without(member.id());
                notices.add(new LedgerNotice.HoldExpired(member.who()));
                changes++;
            }
        }
        return new Outcome<>(next, changes, notices);
    }

    private static boolean isForgotten(NodeState state, Instant now) {
        return state.members().size() == 0
                && state.size()
                        .goneAt()
                        .filter(gone -> !now.isBefore(gone.plus(GONE_FOR)))
                        .isPresent();
    }

    private static boolean hasRunOut(Member member, Instant now) {
        return member.standing()
                .heldUntil()
                .filter(until -> !now.isBefore(until))
                .isPresent();
    }

    /** Whether no permit that the member was ever given, here or by books that were lost, can start growth any more. */
    static boolean quiet(NodeState state, Member member, LedgerRules rules, Instant now) {
        var asked = member.talk().askedAt();
        if (asked.isPresent() && now.isBefore(asked.get().plus(rules.permitsOver()))) {
            return false;
        }
        if (member.standing().contact() != Contact.RECOVERED) {
            return true;
        }
        return state.listing()
                .loadedAt()
                .filter(loaded -> !now.isBefore(loaded.plus(rules.permitsOver())))
                .isPresent();
    }
}
