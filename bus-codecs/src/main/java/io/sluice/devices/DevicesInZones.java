package io.sluice.devices;

import io.sluice.devices.DeviceMisfit.Cause;
import io.sluice.devices.DeviceSelection.Chosen;
import io.sluice.devices.DeviceSelection.Refused;
import io.sluice.devices.DeviceSelection.Selection;
import io.sluice.units.FixedAmounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which GPUs a pod gets that its kubelet aligns to NUMA zones: those of zones that have room for the rest of it too. It
 * counts where Sluice gives the GPUs by its own annotation. A device of which no zone is known is in each.
 */
public final class DevicesInZones {
    private final DeviceRoom room;
    private final NodeZones free;
    private final List<GpuRequest> requests;
    private final ZoneRequest pod;

    private DevicesInZones(DeviceRoom room, NodeZones free, List<GpuRequest> requests, ZoneRequest pod) {
        this.room = room;
        this.free = free;
        this.requests = requests;
        this.pod = pod;
    }

    /**
     * Chooses devices for all containers of a pod. Where the pod finds no zone even without its GPUs, {@link ZoneFit}
     * has the reason.
     *
     * @param totals what the node can give of all kinds
     * @param reserved what of that is reserved
     */
    public static Selection select(
            DeviceRoom room, FixedAmounts totals, FixedAmounts reserved, List<GpuRequest> requests, ZoneRequest pod) {
        var anywhere = DeviceSelection.select(room, requests, totals.of(NodeDevices.WHOLE_DEVICES) > 0);
        var zones = room.node().zones();
        boolean limited = !requests.isEmpty() && room.node().mode() == GpuMode.SHARED && zones.refuses();
        if (!limited || pod.isNone() || anywhere instanceof Refused) {
            return anywhere;
        }
        var free = zones.free(totals, reserved);
        if (ZoneFit.zones(free, pod).isEmpty()) {
            return anywhere;
        }
        var selection = new DevicesInZones(room, free, requests, pod).select();
        if (selection instanceof Refused(var misfit)) {
            var empty = zones.free(totals, FixedAmounts.NONE);
            return new DevicesInZones(room, empty, requests, pod).select() instanceof Chosen
                    ? new Refused(new DeviceMisfit(Cause.NUMA_PESSIMISTIC, misfit.detail()))
                    : selection;
        }
        return selection;
    }

    private Selection select() {
        var left = free;
        var devices = room;
        var shares = new ArrayList<GpuShare>();
        int tier = 0;
        var parts = ZoneFit.parts(free, pod);
        for (int number = 0; number < parts.size(); number++) {
            var part = parts.get(number);
            var wanted = requests(number);
            var best = beside(left, devices, part, wanted);
            if (best == null) {
                return new Refused(new DeviceMisfit(Cause.NUMA_NO_ZONE, detail(left, devices, part, wanted)));
            }
            left = ZoneFit.taking(left, best.zones, part);
            devices = devices.taking(best.chosen.shares());
            shares.addAll(best.chosen.shares());
            tier = Math.max(tier, best.chosen.tier());
        }
        var others = requests.stream()
                .filter(request -> !free.byPod() && request.container() >= parts.size())
                .toList();
        return switch (DeviceSelection.select(devices, others, false)) {
            case Refused refused -> refused;
            case Chosen chosen -> {
                shares.addAll(chosen.shares());
                yield new Chosen(shares, Math.max(tier, chosen.tier()));
            }
        };
    }

    private List<GpuRequest> requests(int part) {
        return free.byPod()
                ? requests
                : requests.stream()
                        .filter(request -> request.container() == part)
                        .toList();
    }

    /** Zones and the devices there. */
    private record Pick(List<Zone> zones, Chosen chosen) {}

    /** The zones with the nearest devices, and of those the ones with what would be chosen on the whole node. */
    private static Pick beside(NodeZones left, DeviceRoom devices, FixedAmounts part, List<GpuRequest> wanted) {
        var anywhere = DeviceSelection.select(devices, wanted, false);
        Pick best = null;
        for (var zones : ZoneFit.candidates(left, part)) {
            var within = part.isNone() ? devices : devices.within(numbers(zones));
            if (DeviceSelection.select(within, wanted, false) instanceof Chosen chosen) {
                boolean nearer = best == null || chosen.tier() < best.chosen.tier();
                boolean same = best != null && chosen.tier() == best.chosen.tier() && chosen.equals(anywhere);
                best = nearer || same ? new Pick(zones, chosen) : best;
            }
        }
        return best;
    }

    private static Set<Integer> numbers(List<Zone> zones) {
        return zones.stream().map(Zone::id).collect(Collectors.toSet());
    }

    private static String detail(NodeZones left, DeviceRoom devices, FixedAmounts part, List<GpuRequest> wanted) {
        var withRoom = ZoneFit.candidates(left, part).stream()
                .flatMap(List::stream)
                .map(Zone::id)
                .distinct()
                .toList();
        var withDevices = left.zones().stream()
                .map(Zone::id)
                .filter(zone -> DeviceSelection.select(devices.within(Set.of(zone)), wanted, false) instanceof Chosen)
                .toList();
        return "zones with room=" + withRoom + ", with GPUs=" + withDevices;
    }
}
