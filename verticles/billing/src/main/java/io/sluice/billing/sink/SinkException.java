package io.sluice.billing.sink;

import java.util.Set;

/** A sink did not accept a batch, or the result is unknown. */
public final class SinkException extends Exception {
    private static final long serialVersionUID = 1L;
    private static final int LENGTH_MAX = 1000;

    private static final Set<Integer> REFUSALS = Set.of(400, 413, 422);

    private final String label;
    private final boolean isRefused;

    /**
     * Creates an exception.
     *
     * @param label a short text, equal for all failures of its kind; it is the value of a metric's tag
     * @param message the full text for the log; cut off at 1000 characters, because it may include a whole response
     * @param cause the exception that was thrown; may be null
     */
    public SinkException(String label, String message, Throwable cause) {
        this(label, message, cause, false);
    }

    private SinkException(String label, String message, Throwable cause, boolean isRefused) {
        super(message.substring(0, Math.min(message.length(), LENGTH_MAX)), cause);
        this.label = label;
        this.isRefused = isRefused;
    }

    /** A receiver replied with a status of HTTP other than that for a batch that it accepted. */
    public static SinkException ofStatus(int status, String message) {
        return new SinkException("HTTP code " + status, message, null, REFUSALS.contains(status));
    }

    /** Whether the receiver refused this batch for its size or contents, and would refuse it again. */
    public boolean isRefused() {
        return isRefused;
    }

    /** A short text, equal for all failures of its kind. */
    public String label() {
        return label;
    }
}
