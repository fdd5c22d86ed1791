package io.sluice.messages.ledger.permit;

import java.util.Objects;

/**
 * The decision on one kind of a permit request, with its numbers, in the kind's own unit.
 *
 * @param outcome the rule that decided
 * @param before the reservation before
 * @param requested the target
 * @param permit the reservation now
 * @param remaining what the node had left for this VM, before overcommit
 * @param nodeReserved what the node has reserved now, over all its reservations
 * @param nodeTotal what the node can give
 */
public record KindDecision(
        Rule outcome, long before, long requested, long permit, long remaining, long nodeReserved, long nodeTotal) {
    /** Which rule decided. */
    public enum Rule {
        /** No more than before: taken as reported. */
        NOTED,
        /** More, and all of it granted. */
        GRANTED,
        /** Cut to what the node has left, in whole compute units. */
        CUT_TO_ROOM,
        /** Cut to the VM's maximum. */
        CUT_TO_MAX,
        /** Nothing more is granted while the VM migrates. */
        MIGRATING,
        /** Nothing more is granted on a node that has not been ready for long. */
        NODE_NOT_READY
    }

    public KindDecision {
        Objects.requireNonNull(outcome, "outcome");
    }

    /** What was requested and not granted. */
    public long shortBy() {
        return Math.max(0, requested - permit);
    }
}
