package io.sluice.billing.outbox.file;

/** A part of the file differs from what was written. */
public final class DamagedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DamagedException(String message) {
        super(message);
    }

    DamagedException(String message, Throwable cause) {
        super(message, cause);
    }
}
