package io.sluice.messages.agent;

/** What a VM waits for before it has the size that its load asks for. */
public enum Waiting {
    /** Nothing: it has that size. */
    NOTHING("has the size that it needs"),
    /** There are no metrics to make a goal from. */
    METRICS("no metrics yet"),
    /** The runner's fence is not written on the VM yet. */
    CLAIM("the runner is claiming the VM"),
    /** The ledger has not opened a session yet. */
    SESSION("no session with the ledger yet"),
    /** The ledger has no full list of its node yet, and grants nothing there. */
    NODE("the node's ledger state is incomplete"),
    /** The ledger's reply has not come yet. */
    PERMIT("a permit was requested"),
    /** The ledger granted less than was requested: its node has no more room. */
    ROOM("short of room on the node"),
    /** A request failed, and is sent again after a pause. */
    RETRY("backing off after a failure"),
    /** A permit was granted and not used in time; it is requested again. */
    PERMIT_LAPSED("the permit lapsed"),
    /** The patch was sent. */
    PATCH("the patch is under way"),
    /** The VM object has the new size, and its driver has not applied it. */
    DRIVER("the driver has not applied the size"),
    /** The monitor has not replied to a downscale or an upscale notification yet. */
    MONITOR("waiting for the monitor's reply"),
    /** The guest's monitor denied a downscale. */
    DENIED_DOWNSCALE("the monitor denied the downscale"),
    /** The VM is migrating, and nothing is granted meanwhile. */
    MIGRATION("is being migrated"),
    /** The load asks for more than the VM's maximum. */
    MAX("is at its maximum"),
    /** Another runner has the session of the VM. */
    SUPERSEDED("another runner has its session"),
    /** The VM is not scaled here: its runner stopped. */
    STOPPED("its runner stopped");

    private final String sentence;

    Waiting(String sentence) {
        this.sentence = sentence;
    }

    /** Whether a runner with this cause still serves the VM. */
    public boolean isServed() {
        return this != SUPERSEDED && this != STOPPED;
    }

    /** The cause in words. */
    public String sentence() {
        return sentence;
    }
}
