package io.sluice.lab.load.core;

import java.time.Duration;
import java.util.Objects;

/**
 * The CPU use of one recorded machine over time, in percent. A value is valid until the next, and after the end the
 * series begins again.
 */
public final class LoadSeries {
    private final String name;
    private final Duration step;
    private final double[] percents;

    /**
     * A series.
     *
     * @param step the time between two values
     * @param percents at least one value, each finite and not negative
     */
    public LoadSeries(String name, Duration step, double[] percents) {
        this.name = Objects.requireNonNull(name, "name");
        this.step = Objects.requireNonNull(step, "step");
        this.percents = percents.clone();
        if (!step.isPositive()) {
            throw new IllegalArgumentException("series " + name + ": the step must be above zero, not " + step);
        }
        if (percents.length == 0) {
            throw new IllegalArgumentException("series " + name + " is empty");
        }
        for (double percent : percents) {
            if (!(percent >= 0 && percent < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException("series " + name + ": no CPU use in percent: " + percent);
            }
        }
    }

    /** Its name. */
    public String name() {
        return name;
    }

    /** The time between two values. */
    public Duration step() {
        return step;
    }

    /** How many values it has. */
    public int size() {
        return percents.length;
    }

    /** The value at a time since its beginning. */
    public double percentAt(Duration since) {
        long index = Math.floorDiv(since.toNanos(), step.toNanos());
        return percents[Math.floorMod(index, percents.length)];
    }

    /** How long the value at a time is still valid. Never zero. */
    public Duration holdsFor(Duration since) {
        return Duration.ofNanos(step.toNanos() - Math.floorMod(since.toNanos(), step.toNanos()));
    }
}
