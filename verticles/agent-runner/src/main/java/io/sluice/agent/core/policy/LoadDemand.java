package io.sluice.agent.core.policy;

import java.time.Duration;
import java.time.Instant;

/**
 * Reads the demand for CPU, waiting tasks included, out of 1-minute load averages. The kernel moves the average towards
 * the number of runnable tasks with a time constant of a minute; the step from one scrape to the next shows which
 * number that was. An average has two decimals, so five seconds later the demand is known to 0.06 CPUs. The kernel
 * makes an average every five seconds: scrapes in between show nothing new.
 */
public final class LoadDemand {
    private static final double CONSTANT_SECONDS = 60;
    private static final double NANOS = 1e9;
    /** A little less than the kernel's period, as scrapes are not exact. */
    private static final long SHORTEST_MILLIS = 4_500;

    private double before;
    private Instant beforeAt = Instant.MIN;
    private double demand;

    /**
     * The mean demand since the last average, in CPUs; at first, and after a gap, the average itself; before the next
     * average, what it was.
     */
    public double cpus(double load1, Instant at) {
        boolean gap = beforeAt.isBefore(at.minusSeconds((long) CONSTANT_SECONDS)) || beforeAt.isAfter(at);
        if (!gap && beforeAt.isAfter(at.minusMillis(SHORTEST_MILLIS))) {
            return demand;
        }
        demand = gap ? load1 : demandSince(load1, at);
        before = load1;
        beforeAt = at;
        return demand;
    }

    private double demandSince(double load1, Instant at) {
        double seconds = Duration.between(beforeAt, at).toNanos() / NANOS;
        double kept = Math.exp(-seconds / CONSTANT_SECONDS);
        return Math.max(0, (load1 - kept * before) / (1 - kept));
    }
}
