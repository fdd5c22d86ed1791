package io.sluice.billing.core.reference;

import java.math.BigInteger;
import java.util.Objects;

/**
 * What one key has used in the window so far.
 *
 * @param open the last slice, which may still grow
 * @param closedMilliCpuNs of the slices before it: milli-CPU times nanoseconds
 * @param closedNs of the slices before it
 */
public record WindowUse(UsageSlice open, BigInteger closedMilliCpuNs, long closedNs) {
    public WindowUse {
        Objects.requireNonNull(open, "open");
        Objects.requireNonNull(closedMilliCpuNs, "closedMilliCpuNs");
    }

    static WindowUse first(UsageSlice slice) {
        return new WindowUse(slice, BigInteger.ZERO, 0);
    }

    WindowUse with(UsageSlice next) {
        return open.goesOnIn(next)
                ? new WindowUse(open.until(next.end()), closedMilliCpuNs, closedNs)
                : new WindowUse(next, milliCpuNs(), activeNs());
    }

    /** CPU over time of all slices, exactly. */
    public BigInteger milliCpuNs() {
        return closedMilliCpuNs.add(open.milliCpuNs());
    }

    /** The time of all slices. */
    public long activeNs() {
        return closedNs + open.ns();
    }
}
