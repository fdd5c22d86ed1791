package io.sluice.agent.core.metrics;

/** A text cannot be used; never leaves this package. */
final class MalformedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** A guest controls what a message quotes, and messages are logged and published. */
    private static final int MESSAGE_MAX = 200;

    private final MetricsFault flaw;

    MalformedException(MetricsFault flaw, String message) {
        super(
                message.length() <= MESSAGE_MAX ? message : message.substring(0, MESSAGE_MAX) + "...",
                null,
                false,
                false);
        this.flaw = flaw;
    }

    MetricsFault flaw() {
        return flaw;
    }
}
