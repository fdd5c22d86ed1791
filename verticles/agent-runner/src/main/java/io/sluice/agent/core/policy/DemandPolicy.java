package io.sluice.agent.core.policy;

import io.sluice.units.ResourceKind;

/**
 * Follows the demand of the last seconds, waiting tasks included, which a load average shows only after a minute. It
 * gives back only what has not been needed for a while, and keeps room for what was usual lately and at this time of
 * day.
 */
public final class DemandPolicy implements GoalPolicy {
    private static final int DAY_SECONDS = 86_400;
    private static final int PEAK_SECONDS = 300;
    private static final int GROWTH_AHEAD = 2;

    private final PolicyConfig config;
    private final ResourceKind kind;
    private final double unit;
    private final double[] held;
    private int heldAt;
    private double highestHeld;
    private final PeakHistory peaks;
    private final int scrapesPerPeak;
    private int scrapes;
    private double peak;
    private double usual;
    private double memoryBefore = Double.POSITIVE_INFINITY;

    /**
     * A policy for one VM.
     *
     * @param unit the compute unit's amount of the resource
     * @param history the samples of five minutes that lie before the first scrape; NaN where one is missing
     */
    public DemandPolicy(PolicyConfig config, ResourceKind kind, double unit, int scrapeSeconds, double[] history) {
        this.config = config;
        this.kind = kind;
        this.unit = unit;
        held = new double[Math.max(1, (int) config.hold().toSeconds() / scrapeSeconds)];
        scrapesPerPeak = Math.max(1, PEAK_SECONDS / scrapeSeconds);
        peaks = new PeakHistory(config, DAY_SECONDS / PEAK_SECONDS);
        for (double sample : history) {
            if (!Double.isNaN(sample)) {
                peaks.add(sample);
            }
        }
        usual = peaks.usual();
    }

    @Override
    public int goal(Scrape scrape) {
        double demand = kind == ResourceKind.CPU ? scrape.cpuDemand() * 1_000 / config.targetUse() : memory(scrape);
        hold(demand);
        learn(demand);
        return (int) Math.ceil(Math.max(highestHeld, usual) / unit);
    }

    /** Memory that grows goes on growing until the next scrape, and until what that decides can be used. */
    private double memory(Scrape scrape) {
        double growth = Math.max(0, scrape.memoryUse() - memoryBefore);
        memoryBefore = scrape.memoryUse();
        return (scrape.memoryUse() + GROWTH_AHEAD * growth) / config.memoryTargetUse();
    }

    private void hold(double demand) {
        double leaving = held[heldAt];
        held[heldAt] = demand;
        heldAt = heldAt + 1 == held.length ? 0 : heldAt + 1;
        if (demand >= highestHeld) {
            highestHeld = demand;
        } else if (leaving == highestHeld) {
            highestHeld = highest();
        }
    }

    /** Called at each scrape of a demand that falls: hence no stream. */
    private double highest() {
        double highest = 0;
        for (double demand : held) {
            highest = Math.max(highest, demand);
        }
        return highest;
    }

    private void learn(double demand) {
        peak = Math.max(peak, demand);
        if (++scrapes == scrapesPerPeak) {
            peaks.add(peak);
            usual = peaks.usual();
            scrapes = 0;
            peak = 0;
        }
    }
}
