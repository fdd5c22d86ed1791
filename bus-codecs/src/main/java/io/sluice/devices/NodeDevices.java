package io.sluice.devices;

import io.sluice.units.FixedAmounts;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The GPUs of a node, who allocates them, and its NUMA zones.
 *
 * @param mode who allocates them
 * @param devices those that are known, by their number
 * @param zones its zones
 */
public record NodeDevices(GpuMode mode, List<Device> devices, NodeZones zones) {
    /** A node of which no GPU is known. The kubelet allocates what it may have. */
    public static final NodeDevices NONE = new NodeDevices(GpuMode.WHOLE, List.of());

    /** The resource of which the kubelet gives whole devices. */
    public static final String WHOLE_DEVICES = "nvidia.com/gpu";

    public NodeDevices {
        Objects.requireNonNull(mode, "mode");
        Objects.requireNonNull(zones, "zones");
        devices = devices.stream()
                .sorted(Comparator.comparingInt(Device::minor).thenComparing(Device::uuid))
                .toList();
        var ids = new HashSet<String>();
        devices.forEach(device -> {
            if (!ids.add(device.uuid())) {
                throw new IllegalArgumentException("two devices have the id " + device.uuid());
            }
        });
    }

    /** A node of which no zone is known. */
    public NodeDevices(GpuMode mode, List<Device> devices) {
        this(mode, devices, NodeZones.NONE);
    }

    /** The same with other zones. */
    public NodeDevices with(NodeZones newZones) {
        return new NodeDevices(mode, devices, newZones);
    }

    /** What the devices can give, each alone: nothing of an unhealthy one, nor where others allocate them. */
    public FixedAmounts totals() {
        if (!mode.isShared() || devices.isEmpty()) {
            return FixedAmounts.NONE;
        }
        var totals = new HashMap<String, Long>();
        for (var device : devices) {
            if (device.healthy()) {
                totals.put(Device.memoryOf(device.uuid()), device.memoryMiB());
                totals.put(Device.coreOf(device.uuid()), (long) device.core());
            }
        }
        return FixedAmounts.of(totals);
    }

    /**
     * What of these amounts the kubelet counts for the node as a whole: not what is requested of zones. It counts whole
     * devices where it has them; where Sluice allocates them and the kubelet has none, they count device by device
     * alone.
     *
     * @param total what the node names
     */
    public FixedAmounts counted(FixedAmounts amounts, FixedAmounts total) {
        var counted = amounts.only(kind -> !ZoneRequest.isKind(kind));
        long whole = counted.of(WHOLE_DEVICES);
        return mode.isShared() && whole > 0 && total.of(WHOLE_DEVICES) == 0
                ? counted.minus(FixedAmounts.of(Map.of(WHOLE_DEVICES, whole)))
                : counted;
    }
}
