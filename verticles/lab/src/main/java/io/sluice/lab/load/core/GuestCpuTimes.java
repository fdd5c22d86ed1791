package io.sluice.lab.load.core;

import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;

/**
 * The seconds that each CPU of a guest was in use and idle, as a kernel counts them. A CPU that is gone keeps its own.
 */
public final class GuestCpuTimes {
    private static final int CPUS_MAX = 512;
    private static final double MILLI = 1_000;
    private static final double NANOS = 1e9;

    private final double[] used = new double[CPUS_MAX];
    private final double[] idle = new double[CPUS_MAX];
    private Instant at;
    private int cpus = 1;

    public GuestCpuTimes(Instant at) {
        this.at = at;
    }

    /** Time passed since the last call, with a demand in CPUs and a size. */
    public void advance(Instant now, double demand, Resources size) {
        double seconds = Math.max(0, Duration.between(at, now).toNanos() / NANOS);
        at = now;
        double most = size.milliCpu() / MILLI;
        cpus = Math.clamp((long) Math.ceil(most), 1, CPUS_MAX);
        double share = Math.min(demand, most) / cpus;
        for (int cpu = 0; cpu < cpus; cpu++) {
            used[cpu] += seconds * share;
            idle[cpu] += seconds * (1 - share);
        }
    }

    /** How many CPUs the guest has. */
    public int cpus() {
        return cpus;
    }

    public double used(int cpu) {
        return used[cpu];
    }

    public double idle(int cpu) {
        return idle[cpu];
    }
}
