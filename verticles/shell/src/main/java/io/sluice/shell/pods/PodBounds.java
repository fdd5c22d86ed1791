package io.sluice.shell.pods;

import io.sluice.units.Resources;
import java.util.Objects;

/**
 * The least and the most that a container may have, by its pod's annotation.
 *
 * @param min it is never scaled below this
 * @param max it is never scaled above this
 */
public record PodBounds(Resources min, Resources max) {
    private static final long MILLI_CPU_MIN = 10;
    private static final long MILLI_CPU_MAX = 512_000;

    public PodBounds {
        Objects.requireNonNull(min, "min");
        Objects.requireNonNull(max, "max");
    }

    /**
     * Reads the annotation, which has the form of that of VMs.
     *
     * @throws IllegalArgumentException with the reason in words
     */
    public static PodBounds of(String annotation) {
        var json = PodJson.object(annotation);
        var bounds = new PodBounds(PodJson.amount(json, "min"), PodJson.amount(json, "max"));
        check(bounds.min(), "min");
        check(bounds.max(), "max");
        if (bounds.min().exceeds(bounds.max())) {
            throw new IllegalArgumentException("min must not be above max");
        }
        return bounds;
    }

    private static void check(Resources bound, String which) {
        if (bound.milliCpu() < MILLI_CPU_MIN || bound.milliCpu() > MILLI_CPU_MAX) {
            throw new IllegalArgumentException(which + ".cpu must be from 10m to 512, not " + bound.milliCpu() + "m");
        }
        if (bound.memoryBytes() == 0) {
            throw new IllegalArgumentException(which + ".mem must be above zero");
        }
    }
}
