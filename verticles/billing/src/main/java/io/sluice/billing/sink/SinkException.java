package io.sluice.billing.sink;

/** A sink did not take a batch, or nobody knows whether it did. */
public final class SinkException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int LENGTH_MAX = 1000;

    private final String label;

    /**
     * Of that cause.
     *
     * @param label the cause in few words, the same for all failures of its kind: it becomes a label of a metric
     * @param message in full, for the log; what is too long for one, as a whole answer of a server may be, is cut off
     * @param cause what was thrown; may be null
     */
    public SinkException(String label, String message, Throwable cause) {
        super(message.substring(0, Math.min(message.length(), LENGTH_MAX)), cause);
        this.label = label;
    }

    /** The cause in few words, the same for all failures of its kind. */
    public String label() {
        return label;
    }
}
