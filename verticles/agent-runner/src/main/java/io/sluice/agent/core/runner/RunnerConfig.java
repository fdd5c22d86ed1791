package io.sluice.agent.core.runner;

import io.sluice.agent.core.pace.RestartPace;
import io.sluice.agent.core.policy.PolicyPair;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.util.Objects;

/**
 * The part of its agent's config that a {@link Runner} gets.
 *
 * @param core the part for its scaling core
 * @param requestTickJitter each runner's request tick is shorter by up to this, drawn once
 * @param scrapePeriod from one scrape to the next; the first comes after a random part of it
 * @param absentAfterScrapes metrics older than this many periods count as absent
 * @param lfc when the metrics of file caches are read
 * @param attachPeriod how often the monitor's session is requested again
 * @param requestDeadline after this, a request without a reply is given up even if its loss was not reported
 * @param reportEvery a decision, or warning, that repeats the one before is reported again no sooner than this
 * @param restarts how soon another runner follows
 * @param scalingEvents how scaling events are made
 * @param policies what computes goals
 */
public record RunnerConfig(
        CoreConfig core,
        Duration requestTickJitter,
        Duration scrapePeriod,
        int absentAfterScrapes,
        LfcScrape lfc,
        Duration attachPeriod,
        Duration requestDeadline,
        Duration reportEvery,
        RestartPace restarts,
        ScalingEventRecorderConfig scalingEvents,
        PolicyPair policies) {
    public RunnerConfig {
        Objects.requireNonNull(lfc, "lfc");
        Objects.requireNonNull(policies, "policies");
        Objects.requireNonNull(restarts, "restarts");
        Objects.requireNonNull(scalingEvents, "scalingEvents");
        if (requestTickJitter.isNegative() || requestTickJitter.compareTo(core.requestTick()) >= 0) {
            throw new IllegalArgumentException("agent.requestTickJitter=" + Durations.text(requestTickJitter)
                    + " must be 0 or more and below agent.requestTick=" + Durations.text(core.requestTick()));
        }
        Durations.requirePositive("agent.scrapePeriod", scrapePeriod);
        Durations.requirePositive("agent.attachPeriod", attachPeriod);
        Durations.requirePositive("agent.requestDeadline", requestDeadline);
        if (requestDeadline.compareTo(lfc.timeout()) <= 0) {
            throw new IllegalArgumentException("agent.requestDeadline=" + Durations.text(requestDeadline)
                    + " must exceed agent.lfc.timeout=" + Durations.text(lfc.timeout()));
        }
        Durations.requirePositive("agent.reportEvery", reportEvery);
        if (absentAfterScrapes < 1) {
            throw new IllegalArgumentException(
                    "agent.absentAfterScrapes=" + absentAfterScrapes + " must be at least 1");
        }
    }

    /** The core's config with a request tick that is shorter by {@code jitter}. */
    CoreConfig coreWithTickShorterBy(Duration jitter) {
        return new CoreConfig(
                core.computeUnit(),
                core.scaling(),
                core.requestTick().minus(jitter),
                core.schedulerRetryWait(),
                core.deniedRetryWait(),
                core.neonVmRetryWait(),
                core.monitorRetryWait(),
                core.deniedDownscaleCooldown(),
                core.requestedUpscaleValid(),
                core.permitSafety(),
                core.permitValidFor(),
                core.confirmBy(),
                core.confirmTimeout(),
                core.maxUpscaleStepCu());
    }
}
