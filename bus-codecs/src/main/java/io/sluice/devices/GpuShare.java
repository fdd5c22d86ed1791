package io.sluice.devices;

import io.sluice.units.FixedAmounts;
import java.util.Collection;
import java.util.Map;

/**
 * What a container has of one GPU.
 *
 * @param container its number among the pod's containers
 * @param minor the device's number on the node, or {@link #UNKNOWN_MINOR}
 * @param uuid the device
 * @param memoryMiB of its memory
 * @param core of its compute, in percent of a device
 */
public record GpuShare(int container, int minor, String uuid, long memoryMiB, int core) {
    /** Of a share that was read where no number is written. */
    public static final int UNKNOWN_MINOR = -1;

    public GpuShare {
        if (uuid.isEmpty() || memoryMiB < 0 || core < 0) {
            throw new IllegalArgumentException(
                    "a share names its device, and no negative amounts: " + uuid + " " + memoryMiB + " " + core);
        }
    }

    /** What shares take of their devices, device by device. */
    public static FixedAmounts taken(Collection<GpuShare> shares) {
        var sum = FixedAmounts.NONE;
        for (var share : shares) {
            sum = sum.plus(FixedAmounts.of(Map.of(
                    Device.memoryOf(share.uuid), share.memoryMiB, Device.coreOf(share.uuid), (long) share.core)));
        }
        return sum;
    }
}
