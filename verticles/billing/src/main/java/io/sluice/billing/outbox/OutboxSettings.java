package io.sluice.billing.outbox;

import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * The settings of an outbox.
 *
 * @param queues all queues of the outbox
 * @param clock never goes back; for the pauses between attempts to open a file that fails
 * @param random for names
 */
public record OutboxSettings(List<QueueSpec> queues, InstantSource clock, RandomGenerator random) {
    public OutboxSettings {
        queues = List.copyOf(queues);
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(random, "random");
        if (queues.stream().map(QueueSpec::id).distinct().count() != queues.size()) {
            throw new IllegalArgumentException("each queue must be listed once: "
                    + queues.stream().map(QueueSpec::id).toList());
        }
    }
}
