package io.sluice.devices;

import io.sluice.devices.DeviceMisfit.Cause;
import io.sluice.devices.GpuRequest.Amounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Which GPUs of a node a pod gets. Each device has to have room for what it gives: room is never added up over devices.
 * Containers are served one after the other, and may share a device.
 */
public final class DeviceSelection {
    /** The result. */
    public sealed interface Selection {}

    /**
     * There are devices.
     *
     * @param shares what the pod gets of each
     * @param tier the worst number of steps by which devices of one container are further apart than it prefers
     */
    public record Chosen(List<GpuShare> shares, int tier) implements Selection {
        public Chosen {
            shares = List.copyOf(shares);
        }
    }

    /** There are none. */
    public record Refused(DeviceMisfit misfit) implements Selection {
        public Refused {
            Objects.requireNonNull(misfit, "misfit");
        }
    }

    private static final Chosen NOTHING = new Chosen(List.of(), 0);

    private DeviceSelection() {}

    /**
     * Chooses devices for all containers of a pod.
     *
     * @param kubeletHasDevices whether the node names whole devices for the kubelet to give
     */
    public static Selection select(DeviceRoom room, List<GpuRequest> requests, boolean kubeletHasDevices) {
        if (requests.isEmpty()) {
            return NOTHING;
        }
        return switch (room.node().mode()) {
            case SHARED, HAMI -> shared(room, requests);
            case DRA -> new Refused(new DeviceMisfit(Cause.GPU_NODE_MODE, "dra"));
            case WHOLE -> whole(requests, kubeletHasDevices);
        };
    }

    /** The kubelet chooses; the number of devices counts among the other kinds. */
    private static Selection whole(List<GpuRequest> requests, boolean kubeletHasDevices) {
        if (requests.stream().allMatch(GpuRequest::isWhole)) {
            return NOTHING;
        }
        return new Refused(
                kubeletHasDevices
                        ? new DeviceMisfit(Cause.GPU_NODE_MODE, "whole")
                        : new DeviceMisfit(Cause.GPU_NO_DEVICE_FITS, "max free MiB=0"));
    }

    private static Selection shared(DeviceRoom before, List<GpuRequest> requests) {
        var room = before;
        var shares = new ArrayList<GpuShare>();
        int tier = 0;
        for (var request : requests) {
            var sets = new DeviceSets(room, request);
            var best = sets.best();
            if (best.isEmpty()) {
                return new Refused(sets.misfit());
            }
            var chosen = best.get();
            var taken = new ArrayList<GpuShare>(chosen.at().length);
            for (int at : chosen.at()) {
                taken.add(share(request, room.device(at)));
            }
            tier = Math.max(
                    tier, chosen.tier() - request.selector().scope().worst().ordinal());
            room = room.taking(taken);
            shares.addAll(taken);
        }
        return new Chosen(shares, tier);
    }

    private static GpuShare share(GpuRequest request, Device device) {
        Amounts each = request.each();
        return new GpuShare(
                request.container(), device.minor(), device.uuid(), each.memoryOf(device), each.coreOf(device));
    }
}
