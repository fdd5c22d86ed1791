package io.sluice.ledger.core;

import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Reservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;

/** The changes that time alone makes. */
final class ExpiryRules {
    /** How long a node that is gone and empty is remembered, so that a late observation does not revive it. */
    private static final Duration GONE_FOR = Duration.ofMinutes(10);

    /** How long an API server may take to apply a patch: it ends each request after a minute. */
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
        if (next.claim().filter(claim -> claim.hasEnded(now)).isPresent()) {
            next = next.claiming(Optional.empty());
            changes++;
        }
        for (var reservation : state.reservations()) {
            if (hasRunOut(reservation, now)) {
                next = next.without(reservation.id());
                notices.add(new LedgerNotice.HoldExpired(reservation.pod()));
                changes++;
            }
        }
        return new CommandOutcome<>(next, changes, notices);
    }

    private static boolean isForgotten(NodeState state, Instant now) {
        return state.reservations().size() == 0
                && state.size()
                        .goneAt()
                        .filter(gone -> !now.isBefore(gone.plus(GONE_FOR)))
                        .isPresent();
    }

    private static boolean hasRunOut(Reservation reservation, Instant now) {
        return reservation
                .status()
                .heldUntil()
                .filter(until -> !now.isBefore(until))
                .isPresent();
    }

    /** Whether permits of lost state may still be used. For a found reservation this ends with time. */
    static boolean mayUsePermitsOfLostState(Reservation reservation, LedgerRules rules, Instant now) {
        return switch (reservation.status().contact()) {
            case RECOVERED, EXPOSED -> true;
            case FOUND -> now.isBefore(reservation.observations().since().plus(growthOver(rules)));
            case RECLAIMED, SWITCHED_OFF, REQUESTED -> false;
        };
    }

    /** How long after its request a permit can still make its VM grow. */
    static Duration growthOver(LedgerRules rules) {
        return rules.permitsOver().plus(PATCH_MAY_TAKE);
    }

    /** Whether no permit of lost state on this node can make a VM grow any more. */
    static boolean lostPermitsAreOver(NodeState state, LedgerRules rules, Instant now) {
        return state.fullList()
                .loadedAt()
                .filter(loaded -> !now.isBefore(loaded.plus(growthOver(rules))))
                .isPresent();
    }
}
