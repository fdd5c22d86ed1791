package io.sluice.agent.core.policy;

import io.sluice.agent.core.scaling.GoalCu;
import io.sluice.agent.core.scaling.LfcMetrics;
import io.sluice.agent.core.scaling.ScalingConfig;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A policy of the agent's config for one VM: computes a goal from each scrape of the VM's metrics. */
public final class VmPolicy {
    private static final double MEBIBYTE = 1 << 20;
    private static final double MILLI = 1_000;
    private static final int DAY_SECONDS = 86_400;
    private static final double[] NO_HISTORY = {};

    private final PolicyConfig config;
    private final Resources unit;
    private final DemandPolicy cpu;
    private final DemandPolicy memory;
    private final LoadDemand demand = new LoadDemand();

    /**
     * A policy that knows nothing of the VM yet.
     *
     * @param config of a kind that {@link #isOnline} is true of
     */
    public VmPolicy(PolicyConfig config, Resources unit, Duration scrapePeriod) {
        this.config = config;
        this.unit = unit;
        int seconds = (int) Math.max(1, scrapePeriod.toSeconds());
        cpu = new DemandPolicy(config, ResourceKind.CPU, unit.milliCpu(), seconds, NO_HISTORY);
        memory = new DemandPolicy(config, ResourceKind.MEMORY, unit.memoryBytes() / MEBIBYTE, seconds, NO_HISTORY);
    }

    /** Whether policies of that kind need nothing but what was scraped so far. */
    public static boolean isOnline(PolicyKind kind) {
        return switch (kind) {
            case AGENT, DEMAND -> true;
            case QUANTILE, HINDSIGHT -> false;
        };
    }

    /** The goal after this scrape; the file cache's part is the same in all policies. */
    public GoalCu goal(SystemMetrics metrics, Optional<LfcMetrics> lfc, ScalingConfig scaling, Instant at) {
        var reference = GoalCu.of(Optional.of(metrics), lfc, scaling, unit);
        return switch (config.kind()) {
            case AGENT, QUANTILE, HINDSIGHT -> reference;
            case DEMAND -> demand(metrics, reference, at);
        };
    }

    private GoalCu demand(SystemMetrics metrics, GoalCu reference, Instant at) {
        int second = Math.floorMod(at.getEpochSecond(), DAY_SECONDS);
        double mebibytes = Math.max(0, metrics.usageBytes() / MEBIBYTE - ReferencePolicy.RESERVE_MEBIBYTES);
        var scrape =
                new Scrape(second, metrics.load1(), metrics.load5(), demand.cpus(metrics.load1(), at), mebibytes, 0);
        int ofCpu = cpu.goal(scrape);
        int ofMemory = memory.goal(scrape);
        int ofCache = (int) Math.ceil(reference.lfc().orElse(0.0));
        return new GoalCu(
                Math.min(GoalCu.MOST_CU, Math.max(Math.max(ofCpu, ofMemory), ofCache)),
                reference.hasAllMetrics(),
                Optional.of((double) ofCpu),
                Optional.of((double) ofMemory),
                reference.lfc(),
                reference.workingSetBytes(),
                reference.windowsTooShort());
    }
}
