package io.sluice.replay.core.recorded;

/** Why a VM did not have the size that its last sample alone asks for, when a decision was recorded. */
public enum Deviation {
    /** It had that size. */
    NONE("it has the size that its last sample asks for"),
    /** Its last sample was too old, or there was none yet: the VM keeps what it has. */
    SAMPLE_LATE("a sample is late: the VM is not made smaller without one"),
    /** The guest's monitor requested more. */
    UPSCALE_REQUEST("the guest requested more memory"),
    /** The guest's monitor denied a downscale. */
    DOWNSCALE_DENIED("the guest denied a downscale"),
    /** The ledger granted less than was requested: the room is reserved for others. */
    LEDGER_DENIED("the ledger granted less: the node's room is reserved for others"),
    /** The VM is about to migrate. */
    MIGRATION("the VM migrates, and is not patched meanwhile"),
    /** No monitor is connected, without which a VM is not made smaller. */
    NO_MONITOR("no monitor is connected: the VM is not made smaller without one"),
    /** A permit request, patch or request to the monitor is decided on, or under way. */
    UNDER_WAY("a request is sent or under way"),
    /** A request failed, and its repeat has to wait. */
    RETRY("a request failed, and its repeat waits"),
    /** None of these. */
    UNEXPLAINED("not explained");

    private final String words;

    Deviation(String words) {
        this.words = words;
    }

    /** For reports. */
    public String words() {
        return words;
    }
}
