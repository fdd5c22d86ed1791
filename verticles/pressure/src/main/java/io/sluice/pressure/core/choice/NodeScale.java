package io.sluice.pressure.core.choice;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.units.Resources;

/** The conversion from a VM's scale to its node's scale. */
public final class NodeScale {
    private static final long NONE_MILLI = 1000;

    private NodeScale() {}

    /** A VM's amount in the node's scale, rounded down. */
    public static Resources onNode(Resources amount, Overcommit overcommit) {
        return new Resources(
                divided(amount.milliCpu(), overcommit.cpuMilli()),
                divided(amount.memoryBytes(), overcommit.memoryMilli()));
    }

    /** Divides before it multiplies, so that only a result beyond 64 bits overflows. */
    private static long divided(long amount, long milli) {
        long whole = Math.multiplyExact(amount / milli, NONE_MILLI);
        return Math.addExact(whole, Math.multiplyExact(amount % milli, NONE_MILLI) / milli);
    }
}
