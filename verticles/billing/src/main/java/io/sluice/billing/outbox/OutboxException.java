package io.sluice.billing.outbox;

/** The outbox could not do what was asked, or nobody knows whether it did: ask again, with the same. */
public final class OutboxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutboxException(String message) {
        super(message);
    }

    OutboxException(String message, Throwable cause) {
        super(message + ": " + root(cause), cause);
    }

    /** What was wrong in the end: the store's own words for it only say where. */
    static String root(Throwable failure) {
        var root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.getMessage() == null ? root.toString() : root.getMessage();
    }
}
