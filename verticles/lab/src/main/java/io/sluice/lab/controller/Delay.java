package io.sluice.lab.controller;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long something takes.
 *
 * @param min at least this
 * @param max at most this
 * @param random what lies between
 */
public record Delay(Duration min, Duration max, RandomGenerator random) {
    /** How long it takes this time. */
    public Duration next() {
        return Duration.ofMillis(random.nextLong(min.toMillis(), max.toMillis() + 1));
    }
}
