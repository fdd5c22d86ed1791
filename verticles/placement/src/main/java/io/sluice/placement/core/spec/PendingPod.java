package io.sluice.placement.core.spec;

import io.sluice.devices.GpuDemand;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * A pod that is to be placed.
 *
 * @param charge what it would add to a node's reservations
 * @param gpus what it requests of GPUs
 */
public record PendingPod(PodSpec spec, Resources charge, GpuDemand gpus) {
    public PendingPod {
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(charge, "charge");
        Objects.requireNonNull(gpus, "gpus");
    }

    /** A pod without GPUs. */
    public PendingPod(PodSpec spec, Resources charge) {
        this(spec, charge, GpuDemand.NONE);
    }
}
