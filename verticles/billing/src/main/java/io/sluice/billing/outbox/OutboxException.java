package io.sluice.billing.outbox;

/** An operation of the outbox failed, or its result is unknown. The caller repeats it unchanged. */
public final class OutboxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutboxException(String message) {
        super(message);
    }

    OutboxException(String message, Throwable cause) {
        super(message + ": " + root(cause), cause);
    }

    /** Returns the message of the root cause; the store's own messages only contain where it failed. */
    static String root(Throwable failure) {
        var root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }
}
