package io.sluice.lab.guest;

import io.sluice.lab.load.core.FileCachePlan;
import io.sluice.lab.load.core.MemoryModel;
import io.sluice.lab.load.core.ScenarioEvent;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The specification of one guest.
 *
 * @param name for logs
 * @param index selects its loopback address, {@code 127.10.x.y}; no two guests of one Vert.x share one
 * @param series the recorded CPU use that it replays: one of the names of the series library
 * @param offset where in the series it begins, in the series' time
 * @param day how long a day of the series takes in real time
 * @param vCpus the CPU that 100 % of the series means
 * @param initial its size until it is resized
 * @param memory how its memory follows its demand
 * @param events its other events; times count from its start
 * @param fileCache the load of its file cache; without one, it serves no metrics of it
 */
public record GuestSpec(
        String name,
        int index,
        String series,
        Duration offset,
        Duration day,
        double vCpus,
        Resources initial,
        MemoryModel memory,
        List<ScenarioEvent> events,
        Optional<FileCachePlan> fileCache) {
    private static final int INDEX_MAX = 62_499;

    public GuestSpec {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(series, "series");
        Objects.requireNonNull(offset, "offset");
        Objects.requireNonNull(day, "day");
        Objects.requireNonNull(initial, "initial");
        Objects.requireNonNull(memory, "memory");
        Objects.requireNonNull(fileCache, "fileCache");
        events = List.copyOf(events);
        if (index < 0 || index > INDEX_MAX) {
            throw new IllegalArgumentException("a guest's index is 0 to " + INDEX_MAX + ", not " + index);
        }
    }

    /** A guest without a file cache. */
    public GuestSpec(
            String name,
            int index,
            String series,
            Duration offset,
            Duration day,
            double vCpus,
            Resources initial,
            MemoryModel memory,
            List<ScenarioEvent> events) {
        this(name, index, series, offset, day, vCpus, initial, memory, events, Optional.empty());
    }
}
