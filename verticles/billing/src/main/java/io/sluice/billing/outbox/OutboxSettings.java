package io.sluice.billing.outbox;

import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;

/**
 * What an outbox is opened with.
 *
 * @param lanes all that events can be offered to
 * @param clock never goes back; for the pauses between openings of a file that fails
 * @param random for names
 */
public record OutboxSettings(List<QueueSpec> lanes, InstantSource clock, RandomGenerator random) {
    public OutboxSettings {
        lanes = List.copyOf(lanes);
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(random, "random");
        if (lanes.stream().map(QueueSpec::id).distinct().count() != lanes.size()) {
            throw new IllegalArgumentException("each lane is told once: "
                    + lanes.stream().map(QueueSpec::id).toList());
        }
    }
}
