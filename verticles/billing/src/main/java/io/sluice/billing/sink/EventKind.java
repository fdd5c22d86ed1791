package io.sluice.billing.sink;

/** The kinds of events. Each has its own batches, sinks and metrics. */
public enum EventKind {
    /** Billed use. */
    BILLING("billing"),
    /** Changes of VMs' sizes, desired and granted. */
    SCALING_EVENTS("scalingevents"),
    /** Account lines, against which bills are checked on this machine. */
    ACCOUNT("account");

    private final String word;

    EventKind(String word) {
        this.word = word;
    }

    /** The word in the names of metrics and queues. */
    public String word() {
        return word;
    }
}
