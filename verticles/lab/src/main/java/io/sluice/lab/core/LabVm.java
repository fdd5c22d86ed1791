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
 * @param series the recorded CPU use that it replays
 * @param offset where in the series it begins
 * @param vCpus the CPU that 100 % of the series means
 * @param migratable whether it may be migrated to another node
 * @param events its other events
 * @param sizes its bounds and initial size
 * @param fileCache the load of its file cache, by which it is then also scaled; empty if the file cache does not count
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

    /** A VM of the usual sizes, without a file cache that counts. */
    public LabVm(
            String name, String series, Duration offset, double vCpus, boolean migratable, List<ScenarioEvent> events) {
        this(name, series, offset, vCpus, migratable, events, FleetPlan.SIZES, Optional.empty());
    }

    /** The same VM with other sizes. */
    public LabVm sized(LabVmSizes other) {
        return new LabVm(name, series, offset, vCpus, migratable, events, other, fileCache);
    }
}
