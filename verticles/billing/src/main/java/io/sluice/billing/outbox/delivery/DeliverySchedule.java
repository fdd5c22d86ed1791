package io.sluice.billing.outbox.delivery;

import io.sluice.shell.Backoff;
import java.time.Duration;
import java.util.Objects;

/**
 * How often a queue is sent, and how long it waits for a sink that fails.
 *
 * @param pushEvery an open batch is closed this long after the queue last sent something
 * @param pushTimeout timeout of sending one batch
 * @param backoff the pauses after failures
 */
public record DeliverySchedule(Duration pushEvery, Duration pushTimeout, Backoff backoff) {
    public DeliverySchedule {
        Objects.requireNonNull(pushEvery, "pushEvery");
        Objects.requireNonNull(pushTimeout, "pushTimeout");
        Objects.requireNonNull(backoff, "backoff");
    }
}
