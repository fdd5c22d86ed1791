package io.sluice.billing.wire;

import java.time.Instant;
import java.util.Objects;

/**
 * One amount that one endpoint is billed for, as receivers of billing events take it.
 *
 * @param idempotencyKey by which a receiver knows it again
 * @param metric what was used
 * @param endpointId who pays; may be empty
 * @param startTime of the window
 * @param stopTime of the window
 * @param value how much
 */
public record UsageEvent(
        String idempotencyKey, String metric, String endpointId, Instant startTime, Instant stopTime, long value) {
    public UsageEvent {
        Objects.requireNonNull(idempotencyKey, "idempotencyKey");
        Objects.requireNonNull(metric, "metric");
        Objects.requireNonNull(endpointId, "endpointId");
        Objects.requireNonNull(startTime, "startTime");
        Objects.requireNonNull(stopTime, "stopTime");
        if (value < 0) {
            throw new IllegalArgumentException("value must not be negative: " + value);
        }
    }
}
