package io.sluice.bus;

/**
 * A request that was not sent, as too many others to its address have no answer yet. Has no stack trace: it is cheap.
 */
public final class TooManyInFlightException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooManyInFlightException(String address, int maxInFlight) {
        super(address + ": " + maxInFlight + " requests have no answer yet, so no more are sent", null, false, false);
    }
}
