package io.sluice.billing.outbox.delivery;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The context of a delivery: clock, randomness and metrics.
 *
 * @param clock for batch names, pauses and timeouts; never goes back
 * @param random for jitter
 * @param meters the registry of its metrics
 */
public record DeliveryContext(InstantSource clock, RandomGenerator random, MeterRegistry meters) {
    public DeliveryContext {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(random, "random");
        Objects.requireNonNull(meters, "meters");
    }
}
