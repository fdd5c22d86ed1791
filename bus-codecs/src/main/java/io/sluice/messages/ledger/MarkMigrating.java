package io.sluice.messages.ledger;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * A member's migration begins: nothing more is granted to it from the mark on, and the pressure that it takes away is
 * accounted for. It is the source. May be repeated.
 *
 * @param node the node that it leaves
 * @param member the pod's uid
 * @param cause why it moves
 * @param room what is held for it elsewhere, in its own scale; nothing where nothing is weighed
 * @param attempt of the migration: the mark is that one's alone
 */
public record MarkMigrating(String node, String member, Cause cause, Resources room, String attempt) {
    /** Why a member moves. */
    public enum Cause {
        /** Its node is under pressure: weighed again by the ledger, and refused where that is no longer so. */
        PRESSURE,
        /** It is labelled to move whenever it can. */
        ALWAYS,
        /** Its migration's object has been seen, whoever made it: nothing is weighed. */
        UNDER_WAY,
        /** Its driver was asked to begin, and nobody knows yet whether there is an object: nothing is weighed. */
        BEGINNING
    }

    public MarkMigrating {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(member, "member");
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(room, "room");
        AttemptId.checked(attempt);
    }
}
