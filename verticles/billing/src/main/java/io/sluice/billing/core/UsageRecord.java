package io.sluice.billing.core;

import java.math.BigInteger;
import java.time.Instant;
import java.util.Objects;

/**
 * What one key is charged for one window: two events are made of it.
 *
 * @param key whose use
 * @param start of the window, or of the key's part in it
 * @param stop of the window, or of the key's part in it
 * @param milliCpuNs CPU over time, exactly, before it became whole seconds: milli-CPU times nanoseconds
 * @param activeNs time in use, exactly: nanoseconds
 * @param computeSeconds vCPU-seconds, whole
 * @param activeSeconds seconds in use, whole
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
            throw new IllegalArgumentException("nobody is charged for less than nothing: " + milliCpuNs + " mCPU ns, "
                    + activeNs + " ns, " + computeSeconds + " s, " + activeSeconds + " s");
        }
    }
}
