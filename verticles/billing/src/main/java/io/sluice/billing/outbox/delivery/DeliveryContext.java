package io.sluice.billing.outbox.delivery;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The context of a delivery: clocks, randomness and metrics.
 *
 * @param clock never goes back; for pauses and timeouts
 * @param wall the time in batch names
 * @param random for jitter
 * @param meters the registry of its metrics
 */
public record DeliveryContext(InstantSource clock, InstantSource wall, RandomGenerator random, MeterRegistry meters) {
    public DeliveryContext {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(wall, "wall");
        Objects.requireNonNull(random, "random");
        Objects.requireNonNull(meters, "meters");
    }
}
