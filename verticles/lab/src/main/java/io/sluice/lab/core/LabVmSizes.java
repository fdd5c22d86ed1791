package io.sluice.lab.core;

import io.sluice.units.Resources;

/**
 * The bounds and the initial size of a VM.
 *
 * @param min the least, by its bounds
 * @param max the most, by its bounds
 * @param built the maximum by its spec; the maximum by its bounds may be lower
 * @param initial its first size
 */
public record LabVmSizes(Resources min, Resources max, Resources built, Resources initial) {
    public LabVmSizes {
        if (min.exceeds(initial) || max.exceeds(built) || initial.exceeds(built)) {
            throw new IllegalArgumentException(
                    "a VM's sizes must be in order: " + min + ", " + initial + ", " + max + ", built for " + built);
        }
    }
}
