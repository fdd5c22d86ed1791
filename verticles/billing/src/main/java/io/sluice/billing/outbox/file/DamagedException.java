package io.sluice.billing.outbox.file;

/** Something of the file is not what was written there. */
public final class DamagedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DamagedException(String message) {
        super(message);
    }

    DamagedException(String message, Throwable cause) {
        super(message, cause);
    }
}
