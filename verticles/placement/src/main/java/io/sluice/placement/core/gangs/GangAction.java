package io.sluice.placement.core.gangs;

import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.ReleaseHold;
import io.sluice.placement.core.PlacementAttempt;

/** What is to be done for a gang. */
public sealed interface GangAction {
    /** Room is to be held for a member; the reply is to be reported. */
    record Hold(PlacementAttempt attempt) implements GangAction {}

    /** A member is to be bound, and touched where that is in doubt; the end is to be reported. */
    record Bind(PlacementAttempt attempt) implements GangAction {}

    /** A member is to be touched, since it is unknown whether it is bound; the end is to be reported. */
    record Touch(PlacementAttempt attempt) implements GangAction {}

    /** Room is to be released. */
    record Release(ReleaseHold hold) implements GangAction {}

    /** Room is to be kept on a node, or no longer; the reply is to be reported. */
    record Keep(KeepRoom request) implements GangAction {}

    /** A pod is to be placed alone. */
    record Requeue(String uid) implements GangAction {}

    /** Something has happened that others are to see. */
    record Happened(GangKey gang, What what, String reason) implements GangAction {}

    /** What has happened to a gang. */
    enum What {
        /** An attempt failed, and nothing is held. */
        REJECTED,
        /** Enough members are held, and are bound from now on. */
        SATISFIED,
        /** A member could not be bound, though others run. */
        DEGRADED
    }
}
