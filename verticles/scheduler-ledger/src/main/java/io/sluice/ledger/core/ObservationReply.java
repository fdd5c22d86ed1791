package io.sluice.ledger.core;

/** What the ledger did with an observation. */
public enum ObservationReply {
    /** It was applied. */
    TAKEN,
    /** An observation of the same source that is as new was applied before; nothing changed. */
    KNOWN,
    /** Its pod has ended, or the ledger has no record of its node; nothing changed. */
    DROPPED,
    /** Its sums are beyond 64 bits; nothing changed. */
    OVERFLOW,
    /** Its VM is in a pod that was not observed here and has no tombstone; nothing changed. */
    POD_MISSING
}
