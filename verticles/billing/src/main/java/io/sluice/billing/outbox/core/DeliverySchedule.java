package io.sluice.billing.outbox.core;

import io.sluice.shell.Backoff;
import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * How often a queue is sent, and how long it waits for a sink that fails.
 *
 * @param pushEvery an open batch is closed this long after the queue last sent something
 * @param pushTimeout timeout of sending one batch
 * @param firstWait pause after the first failure; each further failure in a row doubles it
 * @param longestWait longest pause
 */
public record DeliverySchedule(Duration pushEvery, Duration pushTimeout, Duration firstWait, Duration longestWait) {
    public DeliverySchedule {
        positive("pushEvery", pushEvery);
        positive("pushTimeout", pushTimeout);
        positive("firstWait", firstWait);
        positive("longestWait", longestWait);
        if (longestWait.compareTo(firstWait) < 0) {
            throw new IllegalArgumentException(
                    "longestWait=" + longestWait + " must be at least firstWait=" + firstWait);
        }
    }

    private static void positive(String name, Duration value) {
        Objects.requireNonNull(value, name);
        if (!value.isPositive()) {
            throw new IllegalArgumentException(name + " must be positive: " + value);
        }
    }

    /** Returns the pause after that many failures in a row; the second half of it is random. */
    Duration pause(int failures, RandomGenerator random) {
        return new Backoff(firstWait, longestWait).after(failures, random);
    }
}
