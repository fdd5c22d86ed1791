package io.sluice.messages.cluster;

import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;

/**
 * The factor by which a pod's amounts are divided before they are charged to its node.
 *
 * @param cpuMilli factor for CPU in thousandths; 1000 divides by one
 * @param memoryMilli factor for memory in thousandths
 */
public record Overcommit(long cpuMilli, long memoryMilli) {
    /** Every unit is charged in full. */
    public static final Overcommit OFF = new Overcommit(1000, 1000);

    private static final long NONE_MILLI = 1000;

    public Overcommit {
        if (cpuMilli < 1 || memoryMilli < 1) {
            throw new IllegalArgumentException("an overcommit factor is above zero: " + cpuMilli + ", " + memoryMilli);
        }
    }

    /**
     * The charge on a node for a pod's amount: {@code amount * 1000 / factor}, rounded down.
     *
     * @throws ArithmeticException when a field would overflow
     */
    public Resources charge(Resources amount) {
        return equals(OFF)
                ? amount
                : new Resources(
                        scaled(amount.milliCpu(), NONE_MILLI, cpuMilli),
                        scaled(amount.memoryBytes(), NONE_MILLI, memoryMilli));
    }

    /**
     * A pod's amount for a charge on a node: {@code charge * factor / 1000}, rounded down.
     *
     * @throws ArithmeticException when it would overflow
     */
    public long amountFor(long charge, ResourceKind kind) {
        return scaled(
                charge,
                switch (kind) {
                    case CPU -> cpuMilli;
                    case MEMORY -> memoryMilli;
                },
                NONE_MILLI);
    }

    /** Divides before it multiplies, so that only a result beyond 64 bits overflows. */
    private static long scaled(long amount, long times, long by) {
        long whole = Math.multiplyExact(amount / by, times);
        return Math.addExact(whole, Math.multiplyExact(amount % by, times) / by);
    }
}
