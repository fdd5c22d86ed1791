package io.sluice.replay.core.trace;

import io.sluice.units.ResourceKind;
import java.util.Arrays;

/**
 * The recorded demand of one VM for one resource, in equal periods. Amounts are in milli-CPU, or in MiB of memory.
 *
 * @param vm its name in the trace
 * @param kind the resource
 * @param capacity the size that the VM had when it was recorded
 * @param periodSeconds the length of a sample
 * @param startSecond the second of the day at which the first sample begins
 * @param samples the mean demand within each period; NaN where the trace has none
 */
public record TraceSeries(
        String vm, ResourceKind kind, double capacity, int periodSeconds, int startSecond, double[] samples) {
    public static final int DAY_SECONDS = 86_400;

    public TraceSeries {
        if (!(capacity > 0)) {
            throw new IllegalArgumentException("a VM's size is above 0: " + capacity);
        }
        if (periodSeconds < 1 || DAY_SECONDS % periodSeconds != 0) {
            throw new IllegalArgumentException("a sample's period divides a day: " + periodSeconds + " s");
        }
    }

    /** How many samples a day has. */
    public int samplesPerDay() {
        return DAY_SECONDS / periodSeconds;
    }

    /** The samples from one index on and before another, as a series of its own. */
    public TraceSeries cut(int from, int to) {
        int start = (int) ((startSecond + (long) from * periodSeconds) % DAY_SECONDS);
        return new TraceSeries(vm, kind, capacity, periodSeconds, start, Arrays.copyOfRange(samples, from, to));
    }

    /** The index of the first sample that there is; the series' length if there is none. */
    public int begin() {
        int at = 0;
        while (at < samples.length && Double.isNaN(samples[at])) {
            at++;
        }
        return at;
    }

    /** The index after the last sample that there is; 0 if there is none. */
    public int end() {
        int at = samples.length;
        while (at > 0 && Double.isNaN(samples[at - 1])) {
            at--;
        }
        return at;
    }

    /** The samples that there are, smallest first. */
    public double[] sorted() {
        return Arrays.stream(samples)
                .filter(sample -> !Double.isNaN(sample))
                .sorted()
                .toArray();
    }
}
