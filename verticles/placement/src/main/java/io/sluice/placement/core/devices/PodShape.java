package io.sluice.placement.core.devices;

import io.sluice.devices.DeviceRoom;
import io.sluice.placement.core.plugins.PodToPlace;
import java.util.List;

/**
 * What a pod takes of a node's CPU and GPUs, as scores by fragmentation weigh it.
 *
 * @param milliCpu of the node
 * @param devices how many
 * @param milli of each, in thousandths of a device
 * @param models parts of the names of models of which one has to match; empty for any
 */
public record PodShape(long milliCpu, int devices, int milli, List<String> models) {
    static final int DEVICE = 1_000;

    private static final int PERCENT = DEVICE / 100;

    public PodShape {
        models = List.copyOf(models);
    }

    /** The shape that a pod has on a node. Of its containers the first one with GPUs counts. */
    static PodShape of(PodToPlace pod, DeviceRoom room) {
        var requests = pod.pod().gpus().requests();
        if (requests.isEmpty() || room.count() == 0) {
            return new PodShape(pod.charge().milliCpu(), 0, 0, List.of());
        }
        var request = requests.getFirst();
        var each = request.each();
        var device = room.device(0);
        long ofMemory = each.memoryOf(device) * DEVICE / Math.max(1, device.memoryMiB());
        int milli = (int) Math.min(DEVICE, Math.max(ofMemory, each.coreOf(device) * PERCENT));
        return new PodShape(
                pod.charge().milliCpu(),
                request.devices(),
                milli,
                request.selector().models());
    }

    /** Whether it takes a part of one device. */
    boolean isShare() {
        return devices == 1 && milli < DEVICE;
    }

    /** What each device of a node has left, in thousandths. */
    static int[] left(DeviceRoom room) {
        var left = new int[room.count()];
        for (int i = 0; i < left.length; i++) {
            long ofMemory =
                    room.freeMiB(i) * DEVICE / Math.max(1, room.device(i).memoryMiB());
            left[i] = (int) Math.max(0, Math.min(ofMemory, (long) room.freeCore(i) * PERCENT));
        }
        return left;
    }
}
