package io.sluice.units;

/**
 * Numbers a goal of a VM, so that replies can be matched to it and latencies measured.
 *
 * @param value grows by one with each new goal
 * @param flags how the goal differs from the one before: {@link #UP}, {@link #DOWN} or both; 0 at first
 */
public record Revision(long value, long flags) {
    /** The flag of a goal with some field above the one before. */
    public static final long UP = 1;

    /** The flag of a goal with some field below the one before. */
    public static final long DOWN = 2;

    /** Before the first goal. */
    public static final Revision ZERO = new Revision(0, 0);
}
