package io.sluice.cluster.fleet;

/** The protocol that an agent uses with a gateway. */
enum AgentKind {
    /** With sessions; it names its last permit from the first request on. */
    STRICT,
    /** With sessions; the first request of each session names no last permit. */
    NO_LAST_PERMIT,
    /** As the reference's agent: without sessions, and a failed request is not repeated. */
    REFERENCE;

    private static final int PERIOD = 10;
    private static final int[] SILENT = {3, 8};
    private static final int OLD = 5;

    /** Of ten VMs two do not name the last permit, and one has an agent of the reference's kind. */
    static AgentKind of(int vm) {
        int place = vm % PERIOD;
        if (place == OLD) {
            return REFERENCE;
        }
        return place == SILENT[0] || place == SILENT[1] ? NO_LAST_PERMIT : STRICT;
    }
}
