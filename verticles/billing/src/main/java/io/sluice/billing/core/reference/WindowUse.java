package io.sluice.billing.core.reference;

import java.math.BigInteger;
import java.util.Objects;

/**
 * The use of one key in the window so far.
 *
 * @param open the last slice, which may still grow
 * @param closedMilliCpuNs milli-CPU times nanoseconds of the slices before it
 * @param closedNs length of the slices before it in nanoseconds
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

    /** The exact CPU over time of all slices, in milli-CPU times nanoseconds. */
    public BigInteger milliCpuNs() {
        return closedMilliCpuNs.add(open.milliCpuNs());
    }

    /** The length of all slices in nanoseconds. */
    public long activeNs() {
        return closedNs + open.ns();
    }
}
