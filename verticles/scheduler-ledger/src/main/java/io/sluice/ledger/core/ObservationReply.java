package io.sluice.ledger.core;

/** What became of a fact about the cluster. */
public enum ObservationReply {
    /** The books follow it now. */
    TAKEN,
    /** As new a fact of the same source was taken before; nothing changed. */
    KNOWN,
    /** It is about something that is gone for good, or a node that the ledger does not know; nothing changed. */
    DROPPED,
    /** Its sums are beyond 64 bits; nothing changed. */
    OVERFLOW,
    /** It is about a VM in a pod that was never observed here and is not known to have ended; nothing changed. */
    POD_MISSING
}
