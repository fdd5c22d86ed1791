package io.sluice.placement.core.devices;

import io.sluice.devices.DeviceMisfit;
import io.sluice.devices.DeviceSelection;
import io.sluice.devices.DeviceSelection.Selection;
import io.sluice.devices.GpuDemand;
import io.sluice.devices.NodeDevices;
import io.sluice.placement.core.plugins.NodeSnapshot;
import io.sluice.placement.core.plugins.PlacementPlugin;
import io.sluice.placement.core.plugins.PodToPlace;
import java.util.Optional;

/** Excludes nodes without the GPUs that a pod requests. A pod that requests none fits everywhere. */
public final class FreeDevices implements PlacementPlugin {
    @Override
    public Optional<Misfit> filter(PodToPlace pod, NodeSnapshot node) {
        return misfit(pod.pod().gpus(), node).map(Misfit::of);
    }

    /** Why the node has no GPU for that demand; empty where it has. */
    public static Optional<DeviceMisfit> misfit(GpuDemand demand, NodeSnapshot node) {
        if (demand.isNone()) {
            return Optional.empty();
        }
        if (!demand.ambiguous().isEmpty()) {
            return Optional.of(new DeviceMisfit(DeviceMisfit.Cause.GPU_REQUEST_AMBIGUOUS, demand.ambiguous()));
        }
        return select(demand, node) instanceof DeviceSelection.Refused(var misfit)
                ? Optional.of(misfit)
                : Optional.empty();
    }

    /** The GPUs that the ledger would choose by these sums. */
    static Selection select(GpuDemand demand, NodeSnapshot node) {
        return DeviceSelection.select(
                node.devices(), demand.requests(), node.fixedTotal().of(NodeDevices.WHOLE_DEVICES) > 0);
    }
}
