package io.sluice.workers.store;

/** The store cannot be read or written now, or has another form than expected. */
public final class FleetStoreException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public FleetStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
