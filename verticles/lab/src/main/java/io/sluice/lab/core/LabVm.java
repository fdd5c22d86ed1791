package io.sluice.lab.core;

import io.sluice.lab.load.core.ScenarioEvent;
import java.time.Duration;
import java.util.List;

/**
 * A VM of the fleet.
 *
 * @param name its name, in namespace {@code default}
 * @param series whose CPU use it replays
 * @param offset where in the series it begins
 * @param vCpus what 100 % of the series stands for
 * @param migratable whether it may be moved to another node
 * @param events what happens to it besides
 */
public record LabVm(
        String name, String series, Duration offset, double vCpus, boolean migratable, List<ScenarioEvent> events) {
    public LabVm {
        events = List.copyOf(events);
    }
}
