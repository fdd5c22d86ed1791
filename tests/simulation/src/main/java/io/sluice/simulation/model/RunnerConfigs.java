package io.sluice.simulation.model;

import io.sluice.agent.core.runner.LfcScrape;
import io.sluice.agent.core.runner.RestartPace;
import io.sluice.agent.core.runner.RunnerConfig;
import io.sluice.agent.core.runner.ScalingEventsConfig;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.simulation.HistoryShape;
import java.time.Duration;

/** What the runners of a history are told: the defaults, by the rules that its shape names. */
final class RunnerConfigs {
    private static final RestartPace RESTARTS = new RestartPace(
            Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(10));

    private RunnerConfigs() {}

    static RunnerConfig of(HistoryShape shape) {
        var usual = CoreConfig.DEFAULTS;
        var core = new CoreConfig(
                usual.computeUnit(),
                usual.scaling(),
                usual.requestTick(),
                usual.schedulerRetryWait(),
                usual.deniedRetryWait(),
                usual.neonVmRetryWait(),
                usual.monitorRetryWait(),
                usual.deniedDownscaleCooldown(),
                usual.requestedUpscaleValid(),
                shape.permitSafety(),
                usual.permitValidFor(),
                usual.confirmBy(),
                usual.confirmTimeout(),
                usual.maxUpscaleStepCu());
        return new RunnerConfig(
                core,
                Duration.ofMillis(100),
                Duration.ofSeconds(5),
                3,
                LfcScrape.DEFAULTS,
                Duration.ofSeconds(5),
                Duration.ofSeconds(12),
                Duration.ofSeconds(30),
                RESTARTS,
                ScalingEventsConfig.DEFAULTS);
    }
}
