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
public record OutboxTerms(List<Lane> lanes, InstantSource clock, RandomGenerator random) {
    public OutboxTerms {
        lanes = List.copyOf(lanes);
        Objects.requireNonNull(clock, "clock");
        Objects.requireNonNull(random, "random");
        if (lanes.stream().map(Lane::id).distinct().count() != lanes.size()) {
            throw new IllegalArgumentException(
                    "each lane is told once: " + lanes.stream().map(Lane::id).toList());
        }
    }
}
