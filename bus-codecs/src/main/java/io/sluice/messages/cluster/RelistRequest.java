package io.sluice.messages.cluster;

import java.util.Objects;

/**
 * Requests that every observation is published again: a consumer has just started, or the bus may have lost events.
 *
 * @param by the name of the requesting role, or {@link #BUS}
 */
public record RelistRequest(String by) {
    /** The bus was repaired: all observations are wanted again, whoever consumes them. */
    public static final String BUS = "bus";

    public RelistRequest {
        Objects.requireNonNull(by, "by");
    }
}
