package io.sluice.lab.load.core;

import java.time.Duration;

/**
 * An exponentially damped mean of the number of tasks that run or wait, as a kernel computes it: {@code next = queue +
 * (last - queue) * exp(-elapsed / damping)}.
 *
 * @param damping the time after which the earlier value counts for 1/e
 * @param value tasks
 */
public record LoadAverage(Duration damping, double value) {
    /** The mean after a queue had this length for this long. Exact however the time is divided. */
    public LoadAverage after(double queue, Duration elapsed) {
        double share = (double) elapsed.toNanos() / damping.toNanos();
        return new LoadAverage(damping, queue + (value - queue) * Math.exp(-share));
    }
}
