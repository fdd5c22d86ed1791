package io.sluice.workers.store;

/** Another process may write the store now, and this one no more. */
public final class FencedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public FencedException(String message) {
        super(message);
    }
}
