package io.sluice.billing.core.exact;

import io.sluice.billing.core.MeterKey;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * One meter as it stands: what it has added up since its last charge, and from when on it has not.
 *
 * @param key whose use
 * @param version of the fact by which it runs: while the VM has that version, its size is what it was
 * @param milliCpu what the VM had when {@code addedUntil} was
 * @param start of what the next charge is for
 * @param addedUntil how far the sums go
 * @param milliCpuNs CPU over time since {@code start}, with what the last charge left over
 * @param activeNs time since {@code start}, with what the last charge left over
 * @param leftMilliCpuNs how much of {@code milliCpuNs} the last charge left over
 * @param leftActiveNs how much of {@code activeNs} the last charge left over
 * @param steps what the VM had since {@code addedUntil}, the earliest first
 */
public record UsageMeterState(
        MeterKey key,
        long version,
        long milliCpu,
        Instant start,
        Instant addedUntil,
        BigInteger milliCpuNs,
        long activeNs,
        long leftMilliCpuNs,
        long leftActiveNs,
        List<Step> steps) {
    /**
     * A change of size that is not added up yet, as a change of something else may still turn out to be older.
     *
     * @param at when it was
     * @param milliCpu what the VM has from then on
     */
    public record Step(Instant at, long milliCpu) {}

    public UsageMeterState {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(milliCpuNs, "milliCpuNs");
        steps = List.copyOf(steps);
        if (addedUntil.isBefore(start)) {
            throw new IllegalArgumentException("a meter that starts at " + start + " cannot go to " + addedUntil);
        }
    }
}
