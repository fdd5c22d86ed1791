package io.sluice.agent;

import io.sluice.agent.core.metrics.GuestMetricNames;
import io.sluice.agent.core.runner.LfcScrape;
import io.sluice.agent.core.runner.RestartPace;
import io.sluice.agent.core.runner.RunnerConfig;
import io.sluice.agent.core.runner.ScalingEventRecorderConfig;
import io.sluice.agent.core.scaling.ConfirmationMode;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.PermitSafety;
import io.sluice.agent.core.scaling.ScalingConfig;
import io.sluice.agent.scheduler.SchedulerConfig;
import io.sluice.agent.scheduler.SchedulerTransport;
import io.sluice.bus.VmAddresses;
import io.sluice.shell.config.Durations;
import io.sluice.units.Resources;
import java.time.Duration;

/**
 * How VMs are scaled: section {@code agent}.
 *
 * @param computeUnit the step of CPU and memory
 * @param scaling how metrics become a goal, where a VM's annotation says nothing else
 * @param requestTick the ledger hears of each VM at least this often
 * @param requestTickJitter each runner's tick is shorter by up to this
 * @param schedulerRetryWait from a failed question to the ledger to the next
 * @param deniedRetryWait from a question that was not granted in full to the next
 * @param neonVmRetryWait from a failed patch, or claim, to the next
 * @param monitorRetryWait from a failed request to a monitor to the next of its kind
 * @param deniedDownscaleCooldown how long a downscale that a monitor refused is not tried again
 * @param requestedUpscaleValid how long a monitor's cry for memory counts
 * @param permitSafety how carefully the ledger's books are treated
 * @param permitValidFor growth on a permit starts no later than this after its question was sent
 * @param confirmBy what makes a patched size count as used
 * @param confirmTimeout how long a status is waited for before another patch may follow
 * @param maxUpscaleStepCu by how many compute units a monitor is told of more at once; 0 for all at once
 * @param scrapePeriod from one scrape of a VM to the next
 * @param scrapeTimeout a scrape that takes longer has failed
 * @param scrapeMaxBytes a longer answer is not read
 * @param scrapeConnections connections kept to one VM at most
 * @param absentAfterScrapes metrics older than this many periods count as absent
 * @param metricNames by which names VMs tell their load and memory: those of the exporter that runs in them
 * @param lfc when the metrics of file caches are read, of the VMs for which they count
 * @param attachPeriod how often a monitor's session is asked for again
 * @param requestDeadline after this, an unanswered request of a runner is given up, whatever it waits for
 * @param reportEvery a denial, veto, cry or warning that repeats the one before is said again no sooner than this
 * @param restartMin a runner that ended early is followed no sooner than this after it started
 * @param restartMax that wait is drawn between restartMin and this
 * @param restartCap the longest wait of a runner that was superseded again and again
 * @param restartFreeAfter a runner that lived longer than this is followed at once
 * @param scalingEvents how scaling is noted for whoever keeps books of it
 * @param maxVms VMs beyond this many are not served
 * @param scheduler how runners reach the ledger
 * @param share how the agents of several processes tell whose a VM is: {@code members}, all members of the cluster that
 *     carry the role share all VMs; {@code node}, each agent serves the VMs of one node
 * @param node the Kubernetes node whose VMs are served where {@code share} is {@code node}
 */
public record AgentConfig(
        Resources computeUnit,
        ScalingConfig scaling,
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
        int scrapeMaxBytes,
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
        AssignmentMode share,
        String node) {
    private static final Duration SHORTEST = Duration.ofMillis(1);
    private static final Duration LONGEST = Duration.ofDays(1);

    /** What holds where nothing is written. */
    public static final AgentConfig DEFAULTS = new AgentConfig(
            CoreConfig.DEFAULTS.computeUnit(),
            CoreConfig.DEFAULTS.scaling(),
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
            AssignmentMode.MEMBERS,
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
        requireBetween("scrapeMaxBytes", scrapeMaxBytes, 1 << 10, 1 << 26);
        requireBetween("scrapeConnections", scrapeConnections, 1, 16);
        requireBetween("absentAfterScrapes", absentAfterScrapes, 1, 1_000);
        requireBetween("maxVms", maxVms, 1, 1_000_000);
        requireExceeds("requestDeadline", requestDeadline, "scrapeTimeout", scrapeTimeout);
        var longestAnswer = VmAddresses.PATCH.timeout();
        if (requestDeadline.compareTo(longestAnswer) <= 0) {
            throw new IllegalArgumentException("agent.requestDeadline=" + Durations.text(requestDeadline)
                    + " must exceed " + Durations.text(longestAnswer) + ", which a patch may take to be answered");
        }
        requireTimeToAsk(requestDeadline, scheduler);
        requireNode(share, node);
        // The rest is checked by those whom it concerns; their messages name the keys of this section.
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
                scalingEvents);
    }

    /** Each try may take its timeout to begin to be answered, and as long again to end. */
    private static void requireTimeToAsk(Duration requestDeadline, SchedulerConfig scheduler) {
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
                    "agent.node must name the node whose VMs are served, as agent.share is node");
        }
        if (!wanted && !node.isEmpty()) {
            throw new IllegalArgumentException("agent.node=" + node
                    + " has no effect unless agent.share is node: VMs are shared with all other members");
        }
    }

    /** The part that each runner is told. */
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
                scalingEvents);
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
