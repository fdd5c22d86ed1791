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
    /** What programs could still have. */
    public long availableBytes() {
        return totalBytes - usedBytes;
    }
}
