package io.sluice.shell;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.InstantSource;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * What the process lends to each of its verticles.
 *
 * @param clock never goes back: waits and ages are taken from it
 * @param meters where each verticle registers its own metrics
 * @param readiness where each verticle says what it waits for
 * @param random for jitter
 */
public record Shell(InstantSource clock, MeterRegistry meters, Readiness readiness, RandomGenerator random) {
    public Shell {
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(meters, "meters");
        Objects.requireNonNull(readiness, "readiness");
        Objects.requireNonNull(random, "random");
    }
}
