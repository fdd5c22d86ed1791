package io.sluice.lab.load.core;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * What a guest will do.
 *
 * @param series whose CPU use it replays
 * @param offset where in the series it begins, in the series' time
 * @param day how long a day of the series takes in real time
 * @param vCpus what 100 % of the series stands for
 * @param memory how memory follows
 * @param events what happens besides
 */
public record LoadPlan(
        LoadSeries series,
        Duration offset,
        Duration day,
        double vCpus,
        MemoryModel memory,
        List<ScenarioEvent> events) {
    public LoadPlan {
        Objects.requireNonNull(series, "series");
        Objects.requireNonNull(offset, "offset");
        Objects.requireNonNull(memory, "memory");
        events = List.copyOf(events);
        if (!day.isPositive() || day.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException("a day takes more than nothing and at most a day, not " + day);
        }
        if (!(vCpus > 0 && vCpus < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("100 % must stand for some vCPUs, not " + vCpus);
        }
    }

    /** How many times faster than real time the series goes. */
    public double speed() {
        return (double) Duration.ofDays(1).toNanos() / day.toNanos();
    }
}
