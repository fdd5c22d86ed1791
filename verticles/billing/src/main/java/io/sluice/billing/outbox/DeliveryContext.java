package io.sluice.billing.outbox;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * What a delivery works with.
 *
 * @param clock never goes back; for waits
 * @param wall the time that batches are named by
 * @param random for jitter
 * @param meters where its metrics are registered
 */
public record DeliveryContext(InstantSource clock, InstantSource wall, RandomGenerator random, MeterRegistry meters) {
    public DeliveryContext {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(wall, "wall");
        Objects.requireNonNull(random, "random");
        Objects.requireNonNull(meters, "meters");
    }
}
