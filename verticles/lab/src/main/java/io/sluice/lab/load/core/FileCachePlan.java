package io.sluice.lab.load.core;

import java.time.Duration;

/**
 * The working set of a guest's file cache over time: it grows and shrinks again, periodically.
 *
 * @param leastBytes at the start, and after each period
 * @param mostBytes half a period later
 * @param period from one minimum to the next, in the series' time
 */
public record FileCachePlan(long leastBytes, long mostBytes, Duration period) {
    public FileCachePlan {
        if (leastBytes < 0 || mostBytes < leastBytes) {
            throw new IllegalArgumentException(
                    "a working set is from some bytes to no fewer: " + leastBytes + " to " + mostBytes);
        }
        if (!period.isPositive()) {
            throw new IllegalArgumentException("a working set's period must be above zero, not " + period);
        }
    }

    /** What a guest uses within a minute, at a time since its start. */
    long touched(Duration sinceStart) {
        double turn = 2 * Math.PI * sinceStart.toMillis() / period.toMillis();
        return leastBytes + Math.round((mostBytes - leastBytes) * (1 - Math.cos(turn)) / 2);
    }
}
