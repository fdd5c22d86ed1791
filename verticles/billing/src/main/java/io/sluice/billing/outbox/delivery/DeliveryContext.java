package io.sluice.billing.outbox.delivery;

import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.shell.Readiness;
import java.time.InstantSource;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The context of a delivery: clock, randomness, metrics, and where its trouble is reported.
 *
 * @param clock for batch names, pauses and timeouts; never goes back
 * @param random for jitter
 * @param meters the registry of its metrics
 * @param readiness receives the trouble of each sink
 */
public record DeliveryContext(InstantSource clock, RandomGenerator random, MeterRegistry meters, Readiness readiness) {
    public DeliveryContext {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(random, "random");
        Objects.requireNonNull(meters, "meters");
        Objects.requireNonNull(readiness, "readiness");
    }
}
