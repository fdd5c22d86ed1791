package io.sluice.lab.core;

import io.sluice.lab.load.core.FileCachePlan;
import io.sluice.lab.load.core.ScenarioEvent;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A VM of the fleet.
 *
 * @param name its name, in namespace {@code default}
 * @param series whose CPU use it replays
 * @param offset where in the series it begins
 * @param vCpus what 100 % of the series stands for
 * @param migratable whether it may be moved to another node
 * @param events what happens to it besides
 * @param sizes between what it is scaled
 * @param fileCache what its file cache does, which then counts for its size; empty where it does not count
 */
public record LabVm(
        String name,
        String series,
        Duration offset,
        double vCpus,
        boolean migratable,
        List<ScenarioEvent> events,
        LabVmSizes sizes,
        Optional<FileCachePlan> fileCache) {
    public LabVm {
        Objects.requireNonNull(sizes, "sizes");
        Objects.requireNonNull(fileCache, "fileCache");
        events = List.copyOf(events);
    }

    /** A VM of the usual sizes, whose file cache does not count. */
    public LabVm(
            String name, String series, Duration offset, double vCpus, boolean migratable, List<ScenarioEvent> events) {
        this(name, series, offset, vCpus, migratable, events, FleetPlan.SIZES, Optional.empty());
    }

    /** The same, scaled between others. */
    public LabVm sized(LabVmSizes other) {
        return new LabVm(name, series, offset, vCpus, migratable, events, other, fileCache);
    }
}
