package io.sluice.agent;

import io.sluice.agent.core.metrics.GuestMetricNames;
import io.sluice.agent.core.pace.RestartPace;
import io.sluice.agent.core.policy.PolicyConfig;
import io.sluice.agent.core.policy.PolicyPair;
import io.sluice.agent.core.runner.LfcScrape;
import io.sluice.agent.core.runner.RunnerConfig;
import io.sluice.agent.core.runner.ScalingEventRecorderConfig;
import io.sluice.agent.core.scaling.ConfirmationMode;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.PermitSafety;
import io.sluice.agent.core.scaling.ScalingConfig;
import io.sluice.agent.scheduler.SchedulerConfig;
import io.sluice.agent.scheduler.SchedulerTransport;
import io.sluice.agent.scrape.HttpScraper;
import io.sluice.bus.VmAddresses;
import io.sluice.shell.config.ByteSize;
import io.sluice.shell.config.ByteSizes;
import io.sluice.shell.config.Durations;
import io.sluice.units.Resources;
import java.time.Duration;

/**
 * How VMs are scaled: section {@code agent}.
 *
 * @param computeUnit the step of CPU and memory in which a VM is scaled
 * @param scaling how metrics become a goal, where a VM's annotation does not override it
 * @param policy what computes the goals of VMs: a policy of the kinds {@code agent} or {@code demand}, as in a policy's
 *     file of {@code sluice replay}
 * @param shadowPolicy a second policy, whose goals are reported and not applied; none if it is equal to {@code policy}
 * @param requestTick the longest time between two permit requests for one VM
 * @param requestTickJitter the most by which a runner's request tick is shortened at random
 * @param schedulerRetryWait the wait after a failed permit request before the next one
 * @param deniedRetryWait the wait after a permit request that was not granted in full before the next one
 * @param neonVmRetryWait the wait after a failed patch or claim before the next one
 * @param monitorRetryWait the wait after a failed request to a monitor before the next one of its kind
 * @param deniedDownscaleCooldown the wait after a denied downscale before the next attempt
 * @param requestedUpscaleValid how long a monitor's upscale request counts
 * @param permitSafety what a permit request reports and how long a permit counts. {@code strict}: never less than the
 *     VM may still come to use, and a permit expires; {@code reference}: as Neon's agent does, for replays of recorded
 *     histories
 * @param permitValidFor the longest time from sending a permit request to the start of growth on its permit
 * @param confirmBy what confirms a patched size. {@code patch}: the API server's acknowledgement; {@code status}: for
 *     an upscale, the VM's status with the patch's revision
 * @param confirmTimeout how long a runner waits for a VM's status before another patch may follow
 * @param maxUpscaleStepCu the most compute units by which one notification of a monitor raises the size; 0 for no limit
 * @param scrapePeriod the time between two scrapes of a VM
 * @param scrapeTimeout how long a scrape may take
 * @param scrapeMaxSize the largest response to a scrape that is read
 * @param scrapeConnections the most connections that are kept to one VM
 * @param absentAfterScrapes the number of scrape periods after which metrics count as absent
 * @param metricNames the exporter in the VMs, which decides the names of load and memory metrics
 * @param lfc when the metrics of file caches are scraped, of the VMs for which they count
 * @param attachPeriod how often a runner renews its request for a monitor session
 * @param requestDeadline the longest time that a runner waits for any reply before it gives the request up
 * @param reportEvery the shortest time before a decision or warning that repeats the one before is reported again
 * @param restartMin the shortest time from the start of a runner that ended early to the start of the next
 * @param restartMax the longest time from the start of a runner that ended early to the start of the next; the time is
 *     drawn between {@code restartMin} and this
 * @param restartCap the longest wait before a runner that was superseded repeatedly is started again
 * @param restartFreeAfter the life of a runner after which the next one starts at once
 * @param scalingEvents how scaling events are recorded
 * @param maxVms the most VMs that an agent serves
 * @param scheduler how runners reach the ledger
 * @param assignment how VMs are assigned to the agents of several processes. {@code processes}: all processes with the
 *     role share all VMs; {@code node}: each agent serves the VMs of one node
 * @param node the Kubernetes node whose VMs are served where {@code assignment} is {@code node}
 */
public record AgentConfig(
        Resources computeUnit,
        ScalingConfig scaling,
        PolicyConfig policy,
        PolicyConfig shadowPolicy,
        Duration requestTick,
        Duration requestTickJitter,
        Duration schedulerRetryWait,
        Duration deniedRetryWait,
        Duration neonVmRetryWait,
        Duration monitorRetryWait,
        Duration deniedDownscaleCooldown,
        Duration requestedUpscaleValid,
        PermitSafety permitSafety,
        Duration permitValidFor,
        ConfirmationMode confirmBy,
        Duration confirmTimeout,
        int maxUpscaleStepCu,
        Duration scrapePeriod,
        Duration scrapeTimeout,
        @ByteSize int scrapeMaxSize,
        int scrapeConnections,
        int absentAfterScrapes,
        GuestMetricNames metricNames,
        LfcScrape lfc,
        Duration attachPeriod,
        Duration requestDeadline,
        Duration reportEvery,
        Duration restartMin,
        Duration restartMax,
        Duration restartCap,
        Duration restartFreeAfter,
        ScalingEventRecorderConfig scalingEvents,
        int maxVms,
        SchedulerConfig scheduler,
        AssignmentMode assignment,
        String node) {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(1);

    public static final AgentConfig DEFAULTS = new AgentConfig(
            CoreConfig.DEFAULTS.computeUnit(),
            CoreConfig.DEFAULTS.scaling(),
            PolicyConfig.DEFAULTS,
            PolicyConfig.DEFAULTS,
            CoreConfig.DEFAULTS.requestTick(),
            Duration.ofMillis(100),
            CoreConfig.DEFAULTS.schedulerRetryWait(),
            CoreConfig.DEFAULTS.deniedRetryWait(),
            CoreConfig.DEFAULTS.neonVmRetryWait(),
            CoreConfig.DEFAULTS.monitorRetryWait(),
            CoreConfig.DEFAULTS.deniedDownscaleCooldown(),
            CoreConfig.DEFAULTS.requestedUpscaleValid(),
            CoreConfig.DEFAULTS.permitSafety(),
            CoreConfig.DEFAULTS.permitValidFor(),
            CoreConfig.DEFAULTS.confirmBy(),
            CoreConfig.DEFAULTS.confirmTimeout(),
            CoreConfig.DEFAULTS.maxUpscaleStepCu(),
            Duration.ofSeconds(5),
            Duration.ofSeconds(2),
            1 << 20,
            2,
            3,
            GuestMetricNames.VECTOR,
            LfcScrape.DEFAULTS,
            Duration.ofSeconds(5),
            Duration.ofSeconds(15),
            Duration.ofSeconds(60),
            Duration.ofSeconds(5),
            Duration.ofSeconds(10),
            Duration.ofSeconds(60),
            Duration.ofSeconds(10),
            ScalingEventRecorderConfig.DEFAULTS,
            10_000,
            SchedulerConfig.DEFAULTS,
            AssignmentMode.PROCESSES,
            "");

    public AgentConfig {
        requireBetween("requestTick", requestTick);
        requireBetween("schedulerRetryWait", schedulerRetryWait);
        requireBetween("deniedRetryWait", deniedRetryWait);
        requireBetween("neonVmRetryWait", neonVmRetryWait);
        requireBetween("monitorRetryWait", monitorRetryWait);
        requireBetween("deniedDownscaleCooldown", deniedDownscaleCooldown);
        requireBetween("requestedUpscaleValid", requestedUpscaleValid);
        requireBetween("permitValidFor", permitValidFor);
        requireBetween("confirmTimeout", confirmTimeout);
        requireBetween("scrapePeriod", scrapePeriod);
        requireBetween("scrapeTimeout", scrapeTimeout);
        requireBetween("attachPeriod", attachPeriod);
        requireBetween("requestDeadline", requestDeadline);
        requireBetween("reportEvery", reportEvery);
        requireBetween("restartMin", restartMin);
        requireBetween("restartMax", restartMax);
        requireBetween("restartCap", restartCap);
        requireBetween("restartFreeAfter", restartFreeAfter);
        ByteSizes.requireBetween("agent.scrapeMaxSize", scrapeMaxSize, 1 << 10, 1 << 26);
        requireBetween("scrapeConnections", scrapeConnections, 1, 16);
        requireBetween("absentAfterScrapes", absentAfterScrapes, 1, 1_000);
        requireBetween("maxVms", maxVms, 1, 1_000_000);
        requireExceeds("requestDeadline", requestDeadline, "scrapeTimeout", scrapeTimeout);
        var longestAnswer = VmAddresses.PATCH.timeout();
        if (requestDeadline.compareTo(longestAnswer) <= 0) {
            throw new IllegalArgumentException("agent.requestDeadline=" + Durations.text(requestDeadline)
                    + " must exceed " + Durations.text(longestAnswer) + ", the longest wait for a patch's reply");
        }
        requireTimeToRequest(requestDeadline, scheduler);
        requireNode(assignment, node);
        // The records below check the rest; their messages name the keys of this section.
        new RunnerConfig(
                new CoreConfig(
                        computeUnit,
                        scaling,
                        requestTick,
                        schedulerRetryWait,
                        deniedRetryWait,
                        neonVmRetryWait,
                        monitorRetryWait,
                        deniedDownscaleCooldown,
                        requestedUpscaleValid,
                        permitSafety,
                        permitValidFor,
                        confirmBy,
                        confirmTimeout,
                        maxUpscaleStepCu),
                requestTickJitter,
                scrapePeriod,
                absentAfterScrapes,
                lfc,
                attachPeriod,
                requestDeadline,
                reportEvery,
                new RestartPace(restartMin, restartMax, restartCap, restartFreeAfter),
                scalingEvents,
                new PolicyPair(policy, shadowPolicy));
    }

    /** Each attempt may take its timeout until the response begins, and as long again until it ends. */
    private static void requireTimeToRequest(Duration requestDeadline, SchedulerConfig scheduler) {
        var longest = scheduler.requestTimeout().multipliedBy(2L * SchedulerConfig.TRIES_MAX);
        if (scheduler.transport() == SchedulerTransport.HTTP && requestDeadline.compareTo(longest) <= 0) {
            throw new IllegalArgumentException("agent.requestDeadline=" + Durations.text(requestDeadline)
                    + " must exceed " + Durations.text(longest) + ", six times agent.scheduler.requestTimeout="
                    + Durations.text(scheduler.requestTimeout()));
        }
    }

    private static void requireNode(AssignmentMode share, String node) {
        boolean wanted = share == AssignmentMode.NODE;
        if (wanted && node.isBlank()) {
            throw new IllegalArgumentException(
                    "agent.node must name the node whose VMs are served, as agent.assignment is node");
        }
        if (!wanted && !node.isEmpty()) {
            throw new IllegalArgumentException("agent.node=" + node
                    + " has no effect unless agent.assignment is node: all processes share the VMs");
        }
    }

    HttpScraper.Limits scrapeLimits() {
        var longest = scrapePeriod.compareTo(lfc.period()) > 0 ? scrapePeriod : lfc.period();
        return HttpScraper.Limits.ofPeriod(scrapeMaxSize, scrapeTimeout, scrapeConnections, longest);
    }

    /** The part of this config that each runner gets. */
    public RunnerConfig runner() {
        return new RunnerConfig(
                core(),
                requestTickJitter,
                scrapePeriod,
                absentAfterScrapes,
                lfc,
                attachPeriod,
                requestDeadline,
                reportEvery,
                new RestartPace(restartMin, restartMax, restartCap, restartFreeAfter),
                scalingEvents,
                new PolicyPair(policy, shadowPolicy));
    }

    private CoreConfig core() {
        return new CoreConfig(
                computeUnit,
                scaling,
                requestTick,
                schedulerRetryWait,
                deniedRetryWait,
                neonVmRetryWait,
                monitorRetryWait,
                deniedDownscaleCooldown,
                requestedUpscaleValid,
                permitSafety,
                permitValidFor,
                confirmBy,
                confirmTimeout,
                maxUpscaleStepCu);
    }

    private static void requireBetween(String key, Duration value) {
        if (value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("agent." + key + "=" + Durations.text(value) + " must be between "
                    + Durations.text(SHORTEST) + " and " + Durations.text(LONGEST));
        }
    }

    private static void requireBetween(String key, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    "agent." + key + "=" + value + " must be between " + least + " and " + most);
        }
    }

    private static void requireExceeds(String key, Duration value, String otherKey, Duration other) {
        if (value.compareTo(other) <= 0) {
            throw new IllegalArgumentException("agent." + key + "=" + Durations.text(value) + " must exceed agent."
                    + otherKey + "=" + Durations.text(other));
        }
    }
}
