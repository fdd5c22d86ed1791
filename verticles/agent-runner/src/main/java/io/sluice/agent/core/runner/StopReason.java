package io.sluice.agent.core.runner;

/** Why a {@link Runner} ended. */
public enum StopReason {
    /** The VM was deleted. */
    GONE,
    /** The VM is not to be scaled any more, or does not run. */
    NOT_SERVED,
    /** The VM is on its way to another node. */
    MIGRATING,
    /** The VM runs in another pod: another member of the ledger. */
    MOVED,
    /** Another process is to speak for the VM. */
    HANDED_OVER,
    /** Somebody else speaks for the VM. */
    SUPERSEDED,
    /** The ledger lost its books: a new session is needed. */
    BOOKS_LOST,
    /** The fence on the VM is another one, but of nobody else who speaks for it: it must be claimed anew. */
    FENCE_LOST
}
