package io.sluice.placement.core.devices;

import io.sluice.devices.Device;
import io.sluice.devices.DeviceRoom;
import io.sluice.devices.GpuDemand;
import io.sluice.devices.GpuRequest;
import io.sluice.units.Resources;
import java.util.Objects;

/**
 * What a pod takes of a node's CPU and devices, as scores by fragmentation weigh it.
 *
 * @param milliCpu of the node
 * @param devices how many; 0 for a pod without
 * @param each what of each
 * @param selector which ones
 */
public record PodShape(long milliCpu, int devices, GpuRequest.Amounts each, GpuRequest.Selector selector) {
    /** A whole device, in the thousandths by which devices are weighed. */
    public static final int DEVICE = 1_000;

    private static final int PERCENT = DEVICE / 100;

    public PodShape {
        Objects.requireNonNull(each, "each");
        Objects.requireNonNull(selector, "selector");
    }

    /** The shape of a pod. Of its containers the first one with GPUs counts. */
    public static PodShape of(GpuDemand demand, Resources charge) {
        if (demand.requests().isEmpty()) {
            return new PodShape(charge.milliCpu(), 0, GpuRequest.Amounts.WHOLE, GpuRequest.Selector.ANY);
        }
        var request = demand.requests().getFirst();
        return new PodShape(charge.milliCpu(), request.devices(), request.each(), request.selector());
    }

    /** What it takes of such a device, in thousandths: of its memory or its compute, whichever is more. */
    public int milliOf(Device device) {
        long ofMemory = each.memoryOf(device) * DEVICE / Math.max(1, device.memoryMiB());
        return (int) Math.min(DEVICE, Math.max(ofMemory, (long) each.coreOf(device) * PERCENT));
    }

    /** What each device of a node has left, in thousandths. */
    public static int[] left(DeviceRoom room) {
        var left = new int[room.count()];
        for (int i = 0; i < left.length; i++) {
            long ofMemory =
                    room.freeMiB(i) * DEVICE / Math.max(1, room.device(i).memoryMiB());
            left[i] = (int) Math.max(0, Math.min(ofMemory, (long) room.freeCore(i) * PERCENT));
        }
        return left;
    }
}
