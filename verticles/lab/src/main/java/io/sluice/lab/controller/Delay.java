package io.sluice.lab.controller;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * A random duration between two bounds.
 *
 * @param min at least this
 * @param max at most this
 * @param random selects the value in between
 */
public record Delay(Duration min, Duration max, RandomGenerator random) {
    /** The next duration. */
    public Duration next() {
        return Duration.ofMillis(random.nextLong(min.toMillis(), max.toMillis() + 1));
    }
}
