package io.sluice.messages.agent;

/** What a VM waits for before it has the size that its load asks for. */
public enum Waiting {
    /** Nothing: it has that size. */
    NOTHING("has what it asks for"),
    /** There are no metrics to make a goal from. */
    METRICS("no metrics yet"),
    /** The runner's fence is not on the VM yet. */
    CLAIM("the runner is claiming the VM"),
    /** The ledger has not opened a session yet. */
    SESSION("no session with the ledger yet"),
    /** The ledger does not know all that its node holds yet, and grants nothing there. */
    NODE("the node's books are incomplete"),
    /** The ledger's answer is awaited. */
    PERMIT("the ledger was asked"),
    /** The ledger granted less than was asked: its node has no more room. */
    ROOM("short of room on the node"),
    /** A request failed, and is asked again after a pause. */
    RETRY("backing off after a failure"),
    /** A permit was given and not put to use in time; it is asked for again. */
    PERMIT_LAPSED("the permit lapsed"),
    /** The patch was sent. */
    PATCH("the patch is under way"),
    /** The VM object has the new size, and its driver has not applied it. */
    DRIVER("the driver has not applied the size"),
    /** The guest's monitor is asked whether it can shrink, or told that it has grown. */
    MONITOR("the monitor was asked"),
    /** The guest's monitor refused to shrink. */
    VETO("the monitor refused to shrink"),
    /** The VM is moving, and nothing is granted meanwhile. */
    MIGRATION("is being moved"),
    /** The load asks for more than the VM may ever have. */
    MAX("is at its maximum"),
    /** Another runner speaks for the VM. */
    SUPERSEDED("another runner speaks for it"),
    /** Nobody scales the VM here: its runner stopped. */
    STOPPED("its runner stopped");

    private final String sentence;

    Waiting(String sentence) {
        this.sentence = sentence;
    }

    /** Whether the runner that waits for this still serves the VM. */
    public boolean isServed() {
        return this != SUPERSEDED && this != STOPPED;
    }

    /** The cause in words. */
    public String sentence() {
        return sentence;
    }
}
