package io.sluice.lab.guest;

import io.sluice.lab.load.core.GuestMemory;
import io.sluice.units.Resources;

/**
 * What a guest looked like at its last tick.
 *
 * @param size what it was last told to be
 * @param demand the CPU it wants, in vCPUs
 * @param load1 its 1-minute load average
 * @param load5 its 5-minute load average
 * @param memory its memory
 * @param served whether an agent has a session with its monitor
 * @param cries how often its monitor cried for memory
 * @param vetoes how often its monitor refused to shrink
 */
public record GuestSnapshot(
        Resources size,
        double demand,
        double load1,
        double load5,
        GuestMemory memory,
        boolean served,
        long cries,
        long vetoes) {
    private static final double MILLI = 1000.0;

    /** The CPU that it wants beyond what it has, in vCPUs: what waits in its run queue. */
    public double waiting() {
        return Math.max(0, demand - size.milliCpu() / MILLI);
    }
}
