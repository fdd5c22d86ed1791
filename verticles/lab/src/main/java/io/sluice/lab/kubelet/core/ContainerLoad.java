package io.sluice.lab.kubelet.core;

import io.sluice.lab.load.core.GuestLoad;
import io.sluice.lab.load.core.LoadPlan;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;

/**
 * What the container of a pod uses, with the counters of its control group: it uses what its load needs, up to its
 * limits. In each period in which it would use more CPU than its limit it is throttled.
 */
public final class ContainerLoad {
    private static final double MILLI = 1_000;
    private static final double NANOS = 1e9;
    private static final double PERIOD_SECONDS = 0.1;

    private final GuestLoad load;
    private Resources limits;
    private Instant at;
    private double cpuSeconds;
    private double periods;
    private double throttled;

    public ContainerLoad(LoadPlan plan, Resources limits, Instant start) {
        this.load = new GuestLoad(plan, start);
        this.limits = limits;
        this.at = start;
    }

    /**
     * What a kubelet reads of it.
     *
     * @param at when
     * @param cpuSeconds CPU time since its start
     * @param workingSetBytes memory in use
     * @param periods of its CPU limit since its start
     * @param throttled those of them in which it was throttled
     */
    public record Sample(Instant at, double cpuSeconds, long workingSetBytes, double periods, double throttled) {}

    /** Other limits, from the last time on. */
    public void limit(Resources newLimits) {
        limits = newLimits;
    }

    /** The CPU that it uses now. */
    public double cpus() {
        return Math.min(load.demand(), limits.milliCpu() / MILLI);
    }

    /** Advances the time, and returns what it has used until then. */
    public Sample advance(Instant now) {
        double seconds = Math.max(0, Duration.between(at, now).toNanos() / NANOS);
        cpuSeconds += seconds * cpus();
        periods += seconds / PERIOD_SECONDS;
        throttled += load.demand() > cpus() ? seconds / PERIOD_SECONDS : 0;
        at = now;
        load.advance(now);
        return new Sample(now, cpuSeconds, load.memory(limits).usedBytes(), periods, throttled);
    }
}
