package io.sluice.replay.core.vm;

import io.sluice.agent.core.policy.GoalPolicy;
import io.sluice.agent.core.policy.Scrape;
import io.sluice.replay.core.score.VmScore;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.units.ResourceKind;

/**
 * One resource of a VM in virtual time: its demand, what the guest shows of it, and what the VM was given and lacked.
 */
final class ReplayedResource {
    private static final double MILLI = 1_000;

    private final TraceSeries series;
    private final VmModel model;
    private final GoalPolicy policy;
    private final double unit;
    private final boolean cpu;
    private final DemandShape shape;
    private final SampleTally tally;
    private final SeededNoise noise;
    private final boolean readsLoads;
    private LoadAverages loads;
    private double demand;
    private double demandBefore;

    /**
     * A resource.
     *
     * @param policy of the VM or of this resource alone
     * @param unit the compute unit's amount of it
     * @param readsLoads whether load averages are read
     */
    ReplayedResource(TraceSeries series, VmModel model, GoalPolicy policy, double unit, int first, boolean readsLoads) {
        this.series = series;
        this.model = model;
        this.policy = policy;
        this.unit = unit;
        cpu = series.kind() == ResourceKind.CPU;
        shape = new DemandShape(series, model, new SeededNoise(model.seed(), series.vm()));
        tally = new SampleTally(series, model, first);
        noise = new SeededNoise(model.seed() + 1, series.vm());
        this.readsLoads = cpu && readsLoads;
        loads = new LoadAverages(model.scrapeSeconds(), 0);
    }

    TraceSeries series() {
        return series;
    }

    GoalPolicy policy() {
        return policy;
    }

    boolean isCpu() {
        return cpu;
    }

    /** The demand from this second of a sample on; a sample that is missing continues the last one. */
    void moveTo(int sample, int second) {
        demand = Double.isNaN(series.samples()[sample]) ? demand : shape.at(sample, second);
    }

    /** The VM has had the demand of this sample for long. */
    void hasRun(int sample) {
        moveTo(sample, 0);
        demandBefore = demand;
        loads = new LoadAverages(model.scrapeSeconds(), cpu ? demand / MILLI : 0);
    }

    /** For some seconds the VM had a size. */
    void passed(int seconds, double usableUnits, double reservedUnits) {
        tally.add(seconds, demand, usableUnits * unit, reservedUnits * unit);
    }

    /** The VM was stopped for a moment. */
    void stopped(double seconds) {
        if (cpu) {
            tally.lose(seconds * demand);
        }
    }

    /** The time until the next scrape is over. */
    void scraped(long now) {
        demandBefore = demand;
        if (readsLoads) {
            loads.add(demand / MILLI * (1 + model.loadNoise() * noise.around(now)));
        }
    }

    void end(int sample, long resizes) {
        tally.end(sample, resizes);
    }

    VmScore score(long resizes) {
        return tally.score(resizes);
    }

    /** The compute units that its demand fills now, and did at the last scrape. */
    double units() {
        return demand / unit;
    }

    double unitsBefore() {
        return demandBefore / unit;
    }

    /** A scrape of this resource too, beside what was scraped of the other one. */
    Scrape addTo(Scrape other, long usable, long now) {
        if (!cpu) {
            return new Scrape(
                    other.second(), other.load1(), other.load5(), other.cpuDemand(), demandBefore, other.size());
        }
        double used = Math.min(demandBefore, usable * unit);
        double missing = demandBefore - used;
        double waiting = missing == 0 ? 0 : missing * (1 + model.loadNoise() * noise.around(-1 - now));
        return new Scrape(
                other.second(),
                loads.load1(),
                loads.load5(),
                (used + waiting) / MILLI,
                other.memoryUse(),
                other.size());
    }
}
