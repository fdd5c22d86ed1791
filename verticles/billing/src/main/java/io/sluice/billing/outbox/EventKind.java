package io.sluice.billing.outbox;

/** The kinds of events that leave; their batches, sinks and metrics are apart. */
public enum EventKind {
    /** Use that is paid for. */
    BILLING("billing"),
    /** Changes of VMs' sizes, wanted and made. */
    SCALING_EVENTS("scalingevents"),
    /** What stands beside the bills on this machine, to check them by. */
    ACCOUNT("account");

    private final String word;

    EventKind(String word) {
        this.word = word;
    }

    /** As it stands in the names of metrics and lanes. */
    public String word() {
        return word;
    }
}
