package io.sluice.billing.core.reference;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;

/**
 * A time in which a key is billed for the same amount of CPU.
 *
 * @param start time of the first sample
 * @param end time of the last sample
 * @param milliCpu the least of all samples in that time
 */
public record UsageSlice(Instant start, Instant end, long milliCpu) {
    public UsageSlice {
        if (end.isBefore(start)) {
            throw new IllegalArgumentException("a slice ends at " + end + " before it starts at " + start);
        }
    }

    /** The length in nanoseconds. */
    public long ns() {
        return Duration.between(start, end).toNanos();
    }

    /** The exact CPU over time, in milli-CPU times nanoseconds. */
    public BigInteger milliCpuNs() {
        return BigInteger.valueOf(milliCpu).multiply(BigInteger.valueOf(ns()));
    }

    /** Whether the next slice follows without a break, with the same amount of CPU. */
    boolean goesOnIn(UsageSlice next) {
        return milliCpu == next.milliCpu && end.equals(next.start);
    }

    /** Returns this slice with another end. */
    UsageSlice until(Instant newEnd) {
        return new UsageSlice(start, newEnd, milliCpu);
    }
}
