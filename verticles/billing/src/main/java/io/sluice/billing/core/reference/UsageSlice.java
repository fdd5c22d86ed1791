package io.sluice.billing.core.reference;

import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;

/**
 * A stretch of time in which a key is billed for the same amount of CPU.
 *
 * @param start when a sample saw the key first
 * @param end when a sample saw it last
 * @param milliCpu the least that any of the samples between saw
 */
public record UsageSlice(Instant start, Instant end, long milliCpu) {
    public UsageSlice {
        if (end.isBefore(start)) {
            throw new IllegalArgumentException("a slice ends at " + end + " before it starts at " + start);
        }
    }

    /** How long it is. */
    public long ns() {
        return Duration.between(start, end).toNanos();
    }

    /** CPU over time: milli-CPU times nanoseconds, exactly. */
    public BigInteger milliCpuNs() {
        return BigInteger.valueOf(milliCpu).multiply(BigInteger.valueOf(ns()));
    }

    /** Whether the other goes on where this one ends, with as much CPU. */
    boolean goesOnIn(UsageSlice next) {
        return milliCpu == next.milliCpu && end.equals(next.start);
    }

    /** This one, up to the end of what follows. */
    UsageSlice until(Instant newEnd) {
        return new UsageSlice(start, newEnd, milliCpu);
    }
}
