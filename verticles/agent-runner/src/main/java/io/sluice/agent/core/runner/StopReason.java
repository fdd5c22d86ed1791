package io.sluice.agent.core.runner;

/** Why a {@link Runner} ended. */
public enum StopReason {
    /** The VM was deleted. */
    GONE,
    /** The VM is not to be scaled any more, or does not run. */
    NOT_SERVED,
    /** The VM is on its way to another node. */
    MIGRATING,
    /** The VM runs in another pod, which has another reservation. */
    MOVED,
    /** The VM is assigned to another process. */
    HANDED_OVER,
    /** Another runner has taken over the VM. */
    SUPERSEDED,
    /** The ledger lost its state: a new session is needed. */
    LEDGER_LOST,
    /** The fence on the VM was replaced, but by no running runner: it must be claimed again. */
    FENCE_LOST
}
