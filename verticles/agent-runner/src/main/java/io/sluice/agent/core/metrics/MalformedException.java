package io.sluice.agent.core.metrics;

/** A line is not of the format; never leaves this package. */
final class MalformedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedException(String message) {
        super(message, null, false, false);
    }
}
