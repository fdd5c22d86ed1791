package io.sluice.lab.load.core;

/**
 * A guest's memory at a moment, in bytes.
 *
 * @param totalBytes the total that the guest sees
 * @param usedBytes used by programs; never more than the total
 * @param cachedBytes page cache, released when programs need it
 * @param countedBytes what a monitor's control group counts as used; differs from {@code usedBytes} during a
 *     {@link ScenarioEvent.Hold}
 */
public record GuestMemory(long totalBytes, long usedBytes, long cachedBytes, long countedBytes) {
    /** So close below the threshold of an upscale request that the monitor denies every downscale. */
    private static final double CLUNG_TO = 0.84;

    /** The same memory, with so much counted as used that a monitor denies a downscale; the metrics do not show it. */
    public GuestMemory clungTo() {
        return new GuestMemory(
                totalBytes, usedBytes, cachedBytes, Math.max(countedBytes, (long) (totalBytes * CLUNG_TO)));
    }

    /** The same memory, with so much more in the page cache, as far as there is room. */
    public GuestMemory caching(long moreBytes) {
        return new GuestMemory(
                totalBytes, usedBytes, Math.min(totalBytes - usedBytes, cachedBytes + moreBytes), countedBytes);
    }

    /** The memory that programs can still allocate. */
    public long availableBytes() {
        return totalBytes - usedBytes;
    }
}
