package io.sluice.lab.load.core;

import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The load of a guest.
 *
 * @param series the recorded CPU use that it replays
 * @param offset where in the series it begins, in the series' time
 * @param day how long a day of the series takes in real time
 * @param vCpus the CPU that 100 % of the series means
 * @param memory how memory follows
 * @param events its other events
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
            throw new IllegalArgumentException("100 % must mean more than zero vCPUs, not " + vCpus);
        }
    }

    /** How many times faster than real time the series advances. */
    public double speed() {
        return (double) Duration.ofDays(1).toNanos() / day.toNanos();
    }
}
