package io.sluice.placement.core.spec;

import io.sluice.devices.GpuDemand;
import io.sluice.devices.ZoneRequest;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * A pod that is to be placed.
 *
 * @param charge what it would add to a node's reservations
 * @param gpus what it requests of GPUs
 * @param zones what its containers request of one NUMA zone each
 */
public record PendingPod(PodSpec spec, Resources charge, GpuDemand gpus, ZoneRequest zones) {
    public PendingPod {
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(charge, "charge");
        Objects.requireNonNull(gpus, "gpus");
        Objects.requireNonNull(zones, "zones");
    }

    /** The same pod on a node. */
    public PendingPod on(String node) {
        return new PendingPod(spec.on(node), charge, gpus, zones);
    }

    /** Whether another pod differs by its name and version alone, so that no node takes it that does not take this. */
    public boolean isLike(PendingPod other) {
        return charge.equals(other.charge)
                && gpus.equals(other.gpus)
                && zones.equals(other.zones)
                && spec.isLike(other.spec);
    }

    /** A pod with the GPUs and zones of its other observation. */
    public PendingPod(PodSpec spec, Resources charge, PodObserved observed) {
        this(spec, charge, observed.gpus(), ZoneRequest.of(observed.fixed()));
    }

    /** A pod that is not aligned to zones. */
    public PendingPod(PodSpec spec, Resources charge, GpuDemand gpus) {
        this(spec, charge, gpus, ZoneRequest.NONE);
    }

    /** A pod without GPUs. */
    public PendingPod(PodSpec spec, Resources charge) {
        this(spec, charge, GpuDemand.NONE);
    }
}
