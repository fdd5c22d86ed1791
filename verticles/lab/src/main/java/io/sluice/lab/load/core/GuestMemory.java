package io.sluice.lab.load.core;

/**
 * A guest's memory at a moment, in bytes.
 *
 * @param totalBytes what the guest sees as its whole
 * @param usedBytes held by programs; never more than the total
 * @param cachedBytes page cache, given up when programs want it
 * @param countedBytes what a monitor's control group counts as held; differs from used during a
 *     {@link ScenarioEvent.Hold}
 */
public record GuestMemory(long totalBytes, long usedBytes, long cachedBytes, long countedBytes) {
    /** So near below where a monitor cries that it lets nothing of it go. */
    private static final double CLUNG_TO = 0.84;

    /** The same, with so much of it counted as held that a monitor refuses to shrink; its metrics do not show it. */
    public GuestMemory clungTo() {
        return new GuestMemory(
                totalBytes, usedBytes, cachedBytes, Math.max(countedBytes, (long) (totalBytes * CLUNG_TO)));
    }

    /** The same, with so much more of it in the page cache, as far as there is room. */
    public GuestMemory caching(long moreBytes) {
        return new GuestMemory(
                totalBytes, usedBytes, Math.min(totalBytes - usedBytes, cachedBytes + moreBytes), countedBytes);
    }

    /** What programs could still have. */
    public long availableBytes() {
        return totalBytes - usedBytes;
    }
}
