package io.sluice.placement.core.gangs;

import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;

/**
 * When a pod or gang is tried, beside others: by priority from high to low, then by time, then by name.
 *
 * @param since of a gang its last failure or else its creation; of a pod its first observation
 */
public record QueueTurn(int priority, Instant since, String name) implements Comparable<QueueTurn> {
    private static final Comparator<QueueTurn> ORDER = Comparator.comparingInt(QueueTurn::priority)
            .reversed()
            .thenComparing(QueueTurn::since)
            .thenComparing(QueueTurn::name);

    public QueueTurn {
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(name, "name");
    }

    @Override
    public int compareTo(QueueTurn other) {
        return ORDER.compare(this, other);
    }
}
