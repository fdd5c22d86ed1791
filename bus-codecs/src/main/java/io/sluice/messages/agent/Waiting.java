package io.sluice.messages.agent;

/** What a VM waits for before it has the size that its load asks for. */
public enum Waiting {
    /** Nothing: it has that size. */
    NOTHING,
    /** There are no metrics to make a goal from. */
    METRICS,
    /** The runner's fence is not written on the VM yet. */
    CLAIM,
    /** The ledger has not opened a session yet. */
    SESSION,
    /** The ledger has no full list of its node yet, and grants nothing there. */
    NODE,
    /** The ledger's reply has not come yet. */
    PERMIT,
    /** The ledger granted less than was requested: its node has no more room. */
    ROOM,
    /** A request failed, and is sent again after a pause. */
    RETRY,
    /** A permit was granted and not used in time; it is requested again. */
    PERMIT_LAPSED,
    /** The patch was sent. */
    PATCH,
    /** The VM object has the new size, and its driver has not applied it. */
    DRIVER,
    /** The monitor has not replied to a downscale or an upscale notification yet. */
    MONITOR,
    /** The guest's monitor denied a downscale. */
    DENIED_DOWNSCALE,
    /** The VM is migrating, and nothing is granted meanwhile. */
    MIGRATION,
    /** The load asks for more than the VM's maximum. */
    MAX,
    /** Another runner has the session of the VM. */
    SUPERSEDED,
    /** The VM is not scaled here: its runner stopped. */
    STOPPED;

    /** Whether a runner with this cause still serves the VM. */
    public boolean isServed() {
        return this != SUPERSEDED && this != STOPPED;
    }
}
