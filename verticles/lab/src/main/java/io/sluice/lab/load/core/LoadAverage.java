package io.sluice.lab.load.core;

import java.time.Duration;

/**
 * An exponentially damped mean of how many tasks run or wait, as a kernel keeps it: {@code next = queue + (last -
 * queue) * exp(-elapsed / damping)}.
 *
 * @param damping the time after which what was before counts for 1/e
 * @param value tasks
 */
public record LoadAverage(Duration damping, double value) {
    /** The mean after a queue of this length stood for this long. Exact however the time is cut. */
    public LoadAverage after(double queue, Duration elapsed) {
        double share = (double) elapsed.toNanos() / damping.toNanos();
        return new LoadAverage(damping, queue + (value - queue) * Math.exp(-share));
    }
}
