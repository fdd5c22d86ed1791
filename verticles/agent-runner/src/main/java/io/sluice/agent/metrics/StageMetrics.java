package io.sluice.agent.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;

/** How long each stage of a resize takes: a histogram for each, all with the same buckets. */
final class StageMetrics {
    private final Map<ResizeStage, Timer> timers = new EnumMap<>(ResizeStage.class);

    StageMetrics(MeterRegistry meters) {
        for (var stage : ResizeStage.values()) {
            timers.put(
                    stage,
                    Timer.builder("sluice.agent.stage")
                            .description("How long the stages of resizes take: sample, goal, permit, patch, status"
                                    + " and guest")
                            .tag("stage", stage.label())
                            .serviceLevelObjectives(RunnerMetrics.BUCKETS)
                            .register(meters));
        }
    }

    void took(ResizeStage stage, Duration duration) {
        timers.get(stage).record(duration.isNegative() ? Duration.ZERO : duration);
    }
}
