package io.sluice.agent.core.policy;

import io.sluice.agent.core.scaling.GoalCu;
import io.sluice.agent.core.scaling.ScalingConfig;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.units.Resources;
import java.util.Optional;

/** The policy of production: load averages and memory in use, each with a share that it should fill. */
public final class ReferencePolicy implements GoalPolicy {
    private static final double MEBIBYTE = 1 << 20;
    /** The agent counts this much on top of what is not available. */
    static final double RESERVE_MEBIBYTES = 100;

    private final ScalingConfig scaling;
    private final Resources unit;

    public ReferencePolicy(ScalingConfig scaling, Resources unit) {
        this.scaling = scaling;
        this.unit = unit;
    }

    @Override
    public int goal(Scrape scrape) {
        return GoalCu.of(Optional.of(metrics(scrape)), Optional.empty(), scaling, unit)
                .goal();
    }

    /** The scrape as the agent's core has it. */
    public static SystemMetrics metrics(Scrape scrape) {
        double usage = scrape.memoryUse() == 0 ? 0 : (scrape.memoryUse() + RESERVE_MEBIBYTES) * MEBIBYTE;
        return new SystemMetrics(scrape.load1(), scrape.load5(), usage, 0);
    }
}
