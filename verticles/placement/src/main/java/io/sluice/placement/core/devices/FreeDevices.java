package io.sluice.placement.core.devices;

import io.sluice.devices.DeviceMisfit;
import io.sluice.devices.DeviceSelection;
import io.sluice.devices.DeviceSelection.Selection;
import io.sluice.devices.DevicesInZones;
import io.sluice.devices.GpuDemand;
import io.sluice.devices.ZoneRequest;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.plugins.PodToPlace;
import java.util.Optional;

/**
 * Excludes nodes without the GPUs that a pod requests, and those without any in a NUMA zone with room for the rest of
 * it. A pod that requests none fits everywhere.
 */
public final class FreeDevices implements PlacementPlugin {
    @Override
    public Optional<Misfit> filter(PodToPlace pod, NodeSnapshot node) {
        var gpus = pod.pod().gpus();
        return gpus.isNone()
                ? Optional.empty()
                : misfit(gpus, ZoneRequest.of(pod.pod().fixed()), node).map(Misfit::of);
    }

    /** Why the node has no GPU for that demand; empty where it has. */
    public static Optional<DeviceMisfit> misfit(GpuDemand demand, ZoneRequest zones, NodeSnapshot node) {
        if (demand.isNone()) {
            return Optional.empty();
        }
        if (!demand.ambiguous().isEmpty()) {
            return Optional.of(new DeviceMisfit(DeviceMisfit.Cause.GPU_REQUEST_AMBIGUOUS, demand.ambiguous()));
        }
        return select(demand, zones, node) instanceof DeviceSelection.Refused(var misfit)
                ? Optional.of(misfit)
                : Optional.empty();
    }

    /** The GPUs that the ledger would choose by these sums. */
    public static Selection select(GpuDemand demand, ZoneRequest zones, NodeSnapshot node) {
        return DevicesInZones.select(node.devices(), node.fixedTotal(), node.fixedReserved(), demand.requests(), zones);
    }

    /** The same wherever the rest of the pod is. */
    static Selection select(GpuDemand demand, NodeSnapshot node) {
        return select(demand, ZoneRequest.NONE, node);
    }
}
