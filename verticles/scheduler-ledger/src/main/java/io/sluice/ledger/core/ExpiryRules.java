package io.sluice.ledger.core;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;

/** What time alone brings. */
final class ExpiryRules {
    /** A node that is gone and empty is remembered this long, so that a late fact does not bring it back. */
    private static final Duration GONE_FOR = Duration.ofMinutes(10);

    /** API servers end a request after a minute, whatever became of it. */
    private static final Duration PATCH_MAY_TAKE = Duration.ofSeconds(60);

    private ExpiryRules() {}

    static CommandOutcome<Integer> tick(NodeState state, LedgerRules rules, Instant now) {
        if (isForgotten(state, now)) {
            return CommandOutcome.of(NodeState.blank(state.node()), 1);
        }
        var notices = new ArrayList<LedgerNotice>();
        var reweighed = NodeObservationRules.reweighed(state, rules);
        var next = NodeObservationRules.looked(reweighed, rules, now);
        int changes = (reweighed == state ? 0 : 1) + (next == reweighed ? 0 : 1);
        for (var member : state.members()) {
            if (hasRunOut(member, now)) {
                next = next.without(member.id());
                notices.add(new LedgerNotice.HoldExpired(member.who()));
                changes++;
            }
        }
        return new CommandOutcome<>(next, changes, notices);
    }

    private static boolean isForgotten(NodeState state, Instant now) {
        return state.members().size() == 0
                && state.size()
                        .goneAt()
                        .filter(gone -> !now.isBefore(gone.plus(GONE_FOR)))
                        .isPresent();
    }

    private static boolean hasRunOut(Reservation member, Instant now) {
        return member.standing()
                .heldUntil()
                .filter(until -> !now.isBefore(until))
                .isPresent();
    }

    /** Of a member that came past us time alone ends this. */
    static boolean mayUsePermitsOfLostBooks(Reservation member, LedgerRules rules, Instant now) {
        return switch (member.standing().contact()) {
            case RECOVERED, EXPOSED -> true;
            case FOUND -> now.isBefore(member.seen().since().plus(growthOver(rules)));
            case SETTLED, SWITCHED_OFF, HEARD -> false;
        };
    }

    /** This long after it was asked for, no permit grows its VM any more. */
    static Duration growthOver(LedgerRules rules) {
        return rules.permitsOver().plus(PATCH_MAY_TAKE);
    }

    /** Whether nothing that lost books permitted on this node can grow a VM any more. */
    static boolean lostPermitsAreOver(NodeState state, LedgerRules rules, Instant now) {
        return state.listing()
                .loadedAt()
                .filter(loaded -> !now.isBefore(loaded.plus(growthOver(rules))))
                .isPresent();
    }
}
