package io.sluice.cluster;

/** How an agent speaks to a gateway. */
enum AgentKind {
    /** In sessions, naming its last permit from the first request on. */
    STRICT,
    /** In sessions; the first request of each names no last permit. */
    NO_LAST_PERMIT,
    /** As the reference's agent: it knows no sessions, and a failed request is not repeated. */
    REFERENCE;

    private static final int PERIOD = 10;
    private static final int[] SILENT = {3, 8};
    private static final int OLD = 5;

    /** Of ten VMs two name no last permit, and one is of the reference's kind. */
    static AgentKind of(int vm) {
        int place = vm % PERIOD;
        if (place == OLD) {
            return REFERENCE;
        }
        return place == SILENT[0] || place == SILENT[1] ? NO_LAST_PERMIT : STRICT;
    }
}
