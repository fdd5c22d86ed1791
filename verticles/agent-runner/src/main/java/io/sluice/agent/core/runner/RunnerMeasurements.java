package io.sluice.agent.core.runner;

import io.sluice.agent.core.revision.Latency;
import java.util.List;

/**
 * What a runner has counted and timed since the last call.
 *
 * @param queries how often its scaling core was queried for its next actions
 * @param latencies how long goals took, stage by stage
 */
public record RunnerMeasurements(long queries, List<Latency> latencies) {
    static final RunnerMeasurements NONE = new RunnerMeasurements(0, List.of());

    public RunnerMeasurements {
        latencies = List.copyOf(latencies);
    }
}
