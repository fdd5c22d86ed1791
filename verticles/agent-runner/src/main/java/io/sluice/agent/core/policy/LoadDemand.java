package io.sluice.agent.core.policy;

import java.time.Duration;
import java.time.Instant;

/**
 * Reads the demand for CPU, waiting tasks included, out of 1-minute load averages. The kernel moves the average towards
 * the number of runnable tasks with a time constant of a minute; the step from one scrape to the next shows which
 * number that was. An average has two decimals, so five seconds later the demand is known to 0.06 CPUs.
 */
public final class LoadDemand {
    private static final double CONSTANT_SECONDS = 60;
    private static final double NANOS = 1e9;

    private double before;
    private Instant beforeAt = Instant.MIN;

    /** The mean demand since the last call, in CPUs; of the first call, and after a gap, the average itself. */
    public double cpus(double load1, Instant at) {
        boolean follows = beforeAt.isAfter(at.minusSeconds((long) CONSTANT_SECONDS)) && beforeAt.isBefore(at);
        double demand = load1;
        if (follows) {
            double seconds = Duration.between(beforeAt, at).toNanos() / NANOS;
            double kept = Math.exp(-seconds / CONSTANT_SECONDS);
            demand = Math.max(0, (load1 - kept * before) / (1 - kept));
        }
        before = load1;
        beforeAt = at;
        return demand;
    }
}
