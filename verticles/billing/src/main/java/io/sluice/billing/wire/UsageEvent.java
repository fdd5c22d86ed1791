package io.sluice.billing.wire;

import java.time.Instant;
import java.util.Objects;

/**
 * One amount that one endpoint is billed for, as receivers of billing events accept it.
 *
 * @param idempotencyKey key by which a receiver recognizes a repetition
 * @param metric name of the metric
 * @param endpointId the endpoint that pays; may be empty
 * @param startTime start of the window
 * @param stopTime end of the window
 * @param value the amount
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
