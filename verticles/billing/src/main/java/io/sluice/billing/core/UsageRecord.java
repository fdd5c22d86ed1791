package io.sluice.billing.core;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Objects;

/**
 * The billed use of one key in one window; it becomes two events.
 *
 * @param key the VM and its endpoint
 * @param start start of the window, or of the key's part in it
 * @param stop end of the window, or of the key's part in it
 * @param milliCpuNs exact CPU over time, before rounding to seconds, in milli-CPU times nanoseconds
 * @param activeNs exact time in use in nanoseconds
 * @param computeSeconds whole vCPU-seconds
 * @param activeSeconds whole seconds in use
 */
public record UsageRecord(
        MeterKey key,
        Instant start,
        Instant stop,
        BigInteger milliCpuNs,
        long activeNs,
        long computeSeconds,
        long activeSeconds) {
    public UsageRecord {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(milliCpuNs, "milliCpuNs");
        if (stop.isBefore(start)) {
            throw new IllegalArgumentException("a window ends at " + stop + " before it starts at " + start);
        }
        if (milliCpuNs.signum() < 0 || activeNs < 0 || computeSeconds < 0 || activeSeconds < 0) {
            throw new IllegalArgumentException("a usage record must not be negative: " + milliCpuNs + " mCPU ns, "
                    + activeNs + " ns, " + computeSeconds + " s, " + activeSeconds + " s");
        }
    }
}
