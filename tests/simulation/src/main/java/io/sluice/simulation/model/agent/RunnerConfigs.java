package io.sluice.simulation.model.agent;

import io.sluice.agent.core.pace.RestartPace;
import io.sluice.agent.core.policy.PolicyPair;
import io.sluice.agent.core.runner.LfcScrape;
import io.sluice.agent.core.runner.RunnerConfig;
import io.sluice.agent.core.runner.ScalingEventRecorderConfig;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.PermitSafety;
import io.sluice.simulation.HistoryShape;
import java.time.Duration;

/** The configuration of the runners of a history: the defaults, with the permit rules of its shape. */
public final class RunnerConfigs {
    private static final RestartPace RESTARTS = new RestartPace(
            Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(10));

    private static final Duration REFERENCE_REQUESTS_AGAIN = Duration.ofSeconds(5);

    /** The configuration of an agent of the reference. */
    static final RunnerConfig REFERENCE =
            of(PermitSafety.REFERENCE, REFERENCE_REQUESTS_AGAIN, REFERENCE_REQUESTS_AGAIN);

    private RunnerConfigs() {}

    public static RunnerConfig of(HistoryShape shape) {
        var usual = CoreConfig.DEFAULTS;
        return of(shape.permitSafety(), usual.requestTick(), usual.schedulerRetryWait());
    }

    private static RunnerConfig of(PermitSafety safety, Duration requestTick, Duration schedulerRetryWait) {
        var usual = CoreConfig.DEFAULTS;
        var core = new CoreConfig(
                usual.computeUnit(),
                usual.scaling(),
                requestTick,
                schedulerRetryWait,
                usual.deniedRetryWait(),
                usual.neonVmRetryWait(),
                usual.monitorRetryWait(),
                usual.deniedDownscaleCooldown(),
                usual.requestedUpscaleValid(),
                safety,
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
                ScalingEventRecorderConfig.DEFAULTS,
                PolicyPair.DEFAULTS);
    }
}
