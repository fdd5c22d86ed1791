package io.sluice.workers.core;

/** What the scheduler assumes of a worker. */
public enum WorkerState {
    /** It has a certificate, and has not registered yet. */
    ENROLLED,
    /** Its frames arrive within its lease. */
    READY,
    /** No frame came for its lease, or its session ended; what is reserved there stays reserved. */
    SUSPECT,
    /** It was suspect for too long; its instances have failed. */
    LOST,
    /** It has left by its own notice. */
    GONE,
    /** The operator has revoked its name; its instances have failed, and none of its certificates is accepted. */
    BANNED;

    /** Whether instances may run there as far as the scheduler can tell. */
    public boolean holds() {
        return this == READY || this == SUSPECT;
    }
}
