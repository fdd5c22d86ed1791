package io.sluice.lab.guest;

import io.sluice.lab.load.core.GuestMemory;
import io.sluice.units.Resources;

/**
 * The state of a guest at its last tick.
 *
 * @param size its present size
 * @param demand the CPU that it needs, in vCPUs
 * @param load1 its 1-minute load average
 * @param load5 its 5-minute load average
 * @param memory its memory
 * @param served whether an agent has a session with its monitor
 * @param upscaleRequests how many upscale requests its monitor has sent
 * @param deniedDownscales how many downscales its monitor has denied
 */
public record GuestSnapshot(
        Resources size,
        double demand,
        double load1,
        double load5,
        GuestMemory memory,
        boolean served,
        long upscaleRequests,
        long deniedDownscales) {
    private static final double MILLI = 1000.0;

    /** The CPU that it needs beyond its size, in vCPUs: what waits in its run queue. */
    public double waiting() {
        return Math.max(0, demand - size.milliCpu() / MILLI);
    }
}
