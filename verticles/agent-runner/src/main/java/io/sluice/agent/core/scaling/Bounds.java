package io.sluice.agent.core.scaling;

import io.sluice.units.Resources;
import java.util.OptionalInt;

/** The arithmetic on sizes that several rules share. */
public final class Bounds {
    private Bounds() {}

    /**
     * The change from {@code current} to {@code desired}, cut at {@code lower} if it decreases and at {@code upper} if
     * it increases, for CPU and memory separately.
     *
     * <p>A lower bound above {@code current}, or an upper one below it, counts as {@code current}: such bounds arise
     * when changes overlap, as when a monitor connects while its VM is being made smaller, and must not reverse the
     * direction.
     */
    public static Resources clamp(Resources current, Resources desired, Resources lower, Resources upper) {
        return clampAbove(current, clampBelow(current, desired, lower), upper);
    }

    /** As {@link #clamp}, without an upper bound. */
    public static Resources clampBelow(Resources current, Resources desired, Resources lower) {
        return desired.max(lower.min(current));
    }

    /** As {@link #clamp}, without a lower bound. */
    public static Resources clampAbove(Resources current, Resources desired, Resources upper) {
        return desired.min(upper.max(current));
    }

    /** How many compute units a size is; empty unless it is a whole number, the same in both kinds. */
    public static OptionalInt wholeUnits(Resources size, Resources unit) {
        long units = size.milliCpu() / unit.milliCpu();
        boolean whole = size.milliCpu() % unit.milliCpu() == 0 && size.memoryBytes() % unit.memoryBytes() == 0;
        return whole && units == size.memoryBytes() / unit.memoryBytes() && units <= Integer.MAX_VALUE
                ? OptionalInt.of((int) units)
                : OptionalInt.empty();
    }
}
