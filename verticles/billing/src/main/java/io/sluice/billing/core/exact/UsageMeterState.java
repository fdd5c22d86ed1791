package io.sluice.billing.core.exact;

import io.sluice.billing.core.MeterKey;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * The state of one usage meter: the sums since its last usage record.
 *
 * @param key the VM and its endpoint
 * @param version version of the last observation; while the VM has it, its size is unchanged
 * @param milliCpu size of the VM at {@code addedUntil}
 * @param sizeSince since when the VM has that size
 * @param start start of the next usage record
 * @param addedUntil the instant up to which the sums go
 * @param milliCpuNs CPU over time since {@code start}, with the remainder of the last record
 * @param activeNs time since {@code start}, with the remainder of the last record
 * @param leftMilliCpuNs the part of {@code milliCpuNs} that is the remainder of the last record
 * @param leftActiveNs the part of {@code activeNs} that is the remainder of the last record
 * @param steps changes of size since {@code addedUntil}, earliest first
 */
public record UsageMeterState(
        MeterKey key,
        long version,
        long milliCpu,
        Instant sizeSince,
        Instant start,
        Instant addedUntil,
        BigInteger milliCpuNs,
        long activeNs,
        long leftMilliCpuNs,
        long leftActiveNs,
        List<Step> steps) {
    /** The size of a VM of which it is unknown. */
    public static final long UNKNOWN = -1;

    /**
     * A change of size that is not added up yet.
     *
     * @param at when the size changed
     * @param milliCpu size of the VM from then on
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
