package io.sluice.messages.ledger;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * Marks the source's reservation when its migration begins: from then on nothing more is granted to it, and the
 * pressure that it takes away is accounted. May be repeated.
 *
 * @param node the source node
 * @param pod the source pod's uid
 * @param cause why the VM migrates
 * @param room what is held for it at the target, before overcommit; nothing where the ledger does not check it
 * @param attempt of the migration that the mark belongs to
 */
public record MarkMigrating(String node, String pod, Cause cause, Resources room, String attempt) {
    /** Why a VM migrates. */
    public enum Cause {
        /** Its node is under pressure: checked again by the ledger, and refused where that is no longer so. */
        PRESSURE,
        /** Its label requests a migration whenever one is possible. */
        ALWAYS,
        /** Its migration's object was observed, whatever created it: the ledger checks nothing. */
        UNDER_WAY,
        /**
         * The driver was requested to begin, and it is not known yet whether the object exists: the ledger checks
         * nothing.
         */
        BEGINNING
    }

    public MarkMigrating {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(pod, "pod");
        Objects.requireNonNull(cause, "cause");
        Objects.requireNonNull(room, "room");
        AttemptId.checked(attempt);
    }
}
