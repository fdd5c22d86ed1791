package io.sluice.codecs;

import io.sluice.devices.Device;
import io.sluice.devices.DeviceLink;
import io.sluice.devices.DeviceMisfit;
import io.sluice.devices.GpuDemand;
import io.sluice.devices.GpuGrant;
import io.sluice.devices.GpuMode;
import io.sluice.devices.GpuRequest;
import io.sluice.devices.GpuScope;
import io.sluice.devices.GpuShare;
import io.sluice.devices.NodeDevices;
import io.sluice.devices.NodeZones;
import io.sluice.devices.Zone;
import io.sluice.units.FixedAmounts;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** GPUs for samples of messages. */
final class DeviceSamples {
    static final NodeDevices NODE = new NodeDevices(
            GpuMode.HAMI,
            List.of(
                    new Device("g-0", 0, "T4", 16_384, 100, true, Optional.of(1), Map.of("g-1", DeviceLink.NVLINK)),
                    new Device("g-1", 1, "T4", 16_384, 100, false, Optional.empty(), Map.of())),
            new NodeZones(
                    NodeZones.Policy.SINGLE_ZONE,
                    true,
                    8,
                    7,
                    "pfp",
                    List.of(new Zone(
                            1,
                            FixedAmounts.of(Map.of("cpu", 4_000L)),
                            FixedAmounts.of(Map.of("cpu", 1_000L)),
                            Map.of(0, 20)))));

    static final List<GpuRequest> REQUESTS = List.of(new GpuRequest(
            1,
            "alnair",
            2,
            GpuRequest.Amounts.share(4_096, 50),
            new GpuRequest.Selector(List.of("T4"), List.of("K80"), GpuScope.NUMA, true, true)));

    static final GpuGrant GRANT =
            new GpuGrant(GpuMode.SHARED, List.of(new GpuShare(1, 0, "g-0", 4_096, 50)), List.of(1));

    static final GpuDemand DEMAND = new GpuDemand(REQUESTS, GRANT.shares(), "main");

    static final DeviceMisfit MISFIT = new DeviceMisfit(DeviceMisfit.Cause.GPU_MODEL, "T4");

    private DeviceSamples() {}
}
