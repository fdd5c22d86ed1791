package io.sluice.agent.core.runner;

import io.sluice.agent.core.scaling.Latency;
import java.util.List;

/**
 * What a runner has counted and timed since it was last asked.
 *
 * @param queries how often its scaling core was asked what to do
 * @param latencies how long goals took, stage by stage
 */
public record Measures(long queries, List<Latency> latencies) {
    static final Measures NONE = new Measures(0, List.of());

    public Measures {
        latencies = List.copyOf(latencies);
    }
}
