package io.sluice.messages.ledger;

import java.util.Objects;

/**
 * How one kind of a question was ruled, with the numbers it was made from, in the kind's own unit.
 *
 * @param verdict the rule that decided
 * @param before what the member held before
 * @param asked the target
 * @param permit what it holds now
 * @param remaining what the node had left for this member, in the member's scale
 * @param nodeReserved what the node has reserved now, over all its members
 * @param nodeTotal what the node can give
 */
public record KindDecision(
        Rule verdict, long before, long asked, long permit, long remaining, long nodeReserved, long nodeTotal) {
    /** Which rule decided. */
    public enum Rule {
        /** Less or as much as before: taken as told. */
        NOTED,
        /** More, and all of it granted. */
        GRANTED,
        /** Cut to what the node has left, in whole compute units. */
        CUT_TO_ROOM,
        /** Cut to the VM's maximum. */
        CUT_TO_MAX,
        /** Nothing more is granted while the VM moves. */
        MIGRATING,
        /** Nothing more is granted on a node that has not been ready for long. */
        NODE_NOT_READY
    }

    public KindDecision {
        Objects.requireNonNull(verdict, "verdict");
    }

    /** What was asked for and not granted. */
    public long shortBy() {
        return Math.max(0, asked - permit);
    }
}
