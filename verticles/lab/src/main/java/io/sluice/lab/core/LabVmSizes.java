package io.sluice.lab.core;

import io.sluice.units.Resources;

/**
 * Between what a VM is scaled, and where it begins.
 *
 * @param min no less, by its bounds
 * @param max no more, by its bounds
 * @param built what it was built for, the most that its object lets it use; a maximum of bounds may lie below
 * @param initial what it has at first
 */
public record LabVmSizes(Resources min, Resources max, Resources built, Resources initial) {
    public LabVmSizes {
        if (min.exceeds(initial) || max.exceeds(built) || initial.exceeds(built)) {
            throw new IllegalArgumentException(
                    "a VM's sizes must be in order: " + min + ", " + initial + ", " + max + ", built for " + built);
        }
    }
}
