package io.sluice.billing.sink;

/** A sink did not accept a batch, or the result is unknown. */
public final class SinkException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int LENGTH_MAX = 1000;

    private final String label;

    /**
     * Creates an exception.
     *
     * @param label a short text, equal for all failures of its kind; it is the value of a metric's tag
     * @param message the full text for the log; cut off at 1000 characters, because it may include a whole response
     * @param cause the exception that was thrown; may be null
     */
    public SinkException(String label, String message, Throwable cause) {
        super(message.substring(0, Math.min(message.length(), LENGTH_MAX)), cause);
        this.label = label;
    }

    /** A short text, equal for all failures of its kind. */
    public String label() {
        return label;
    }
}
