package io.sluice.bus;

/**
 * A request that was not sent, as too many requests to its address wait for a reply. It has no stack trace, so it is
 * cheap.
 */
public final class TooManyInFlightException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooManyInFlightException(String address, int maxInFlight) {
        super(address + ": " + maxInFlight + " requests wait for a reply, so no more are sent", null, false, false);
    }
}
