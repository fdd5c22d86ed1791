package io.sluice.ledger.core.state;

import io.sluice.devices.Device;
import io.sluice.devices.GpuMode;
import io.sluice.devices.GpuShare;
import io.sluice.devices.NodeDevices;
import io.sluice.devices.NodeZones;
import io.sluice.devices.Zone;
import io.sluice.devices.ZoneRequest;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.units.FixedAmounts;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What is true of GPUs and NUMA zones after a hold. Each violation is one sentence with its numbers. */
public final class DeviceInvariants {
    private DeviceInvariants() {}

    /** Checks that a hold got the devices that it was told, each with room of its own, and healthy ones alone. */
    public static void held(List<String> breaks, NodeState before, String id, NodeState after, HoldReply.Held reply) {
        var replied = reply.gpus().shares();
        var held = after.reservations().find(id).orElseThrow().shares();
        if (!replied.equals(held)) {
            breaks.add("replied to a hold with the GPUs " + replied + " but reserved " + held);
        }
        var had = before.reservations().find(id).map(Reservation::shares);
        if (had.filter(shares -> !shares.isEmpty()).isPresent()) {
            if (!had.equals(Optional.of(held))) {
                breaks.add("a repeat of a hold changed its GPUs from " + had.get() + " to " + held);
            }
            return;
        }
        held.forEach(share -> chosen(breaks, before, share));
        apart(breaks, before, held);
    }

    /**
     * Checks that a new hold takes of each zone all that it requests, or what was left, as its kubelet may choose any.
     *
     * @param pod the amounts that were requested for the pod
     */
    public static void zoned(List<String> breaks, NodeState before, String id, NodeState after, FixedAmounts pod) {
        var request = ZoneRequest.of(pod);
        var zones = before.size().devices().zones();
        if (request.isNone()
                || !zones.refuses()
                || before.reservations().find(id).isPresent()) {
            return;
        }
        var taken = new HashMap<String, Long>();
        before.reservations()
                .forEach(other ->
                        other.zoned().byKind().forEach((kind, amount) -> taken.merge(kind, amount, Long::sum)));
        beside(
                breaks,
                before.size().devices(),
                request,
                after.reservations().find(id).orElseThrow().shares());
        var own = after.reservations().find(id).orElseThrow().zoned();
        for (var zone : zones.zones()) {
            for (var resource : zone.allocatable().byKind().keySet()) {
                var kind = Zone.kind(zone.id(), resource);
                long left = before.size().fixed().of(kind) - taken.getOrDefault(kind, 0L);
                long wanted = request.containers().stream()
                        .mapToLong(container -> container.of(resource))
                        .sum();
                if (own.of(kind) < Math.min(left, wanted) || own.of(kind) > Math.max(0, left)) {
                    breaks.add("took " + own.of(kind) + " of " + kind + " for a request of " + wanted + " where " + left
                            + " was left");
                }
            }
        }
    }

    /** Checks that GPUs that Sluice gives are in one zone, where what is aligned with them has to be. */
    private static void beside(List<String> breaks, NodeDevices node, ZoneRequest request, List<GpuShare> shares) {
        var zones = node.zones();
        if (node.mode() != GpuMode.SHARED || zones.policy() != NodeZones.Policy.SINGLE_ZONE) {
            return;
        }
        var byPart = new HashMap<Integer, Set<Integer>>();
        for (var share : shares) {
            int container = share.container();
            boolean aligned = zones.byPod()
                    || container < request.containers().size()
                            && !request.containers()
                                    .get(container)
                                    .only(zones::have)
                                    .isNone();
            node.devices().stream()
                    .filter(device -> aligned && device.uuid().equals(share.uuid()))
                    .flatMap(device -> device.zone().stream())
                    .forEach(zone -> byPart.computeIfAbsent(zones.byPod() ? 0 : container, part -> new HashSet<>())
                            .add(zone));
        }
        byPart.forEach((part, of) -> {
            if (of.size() > 1) {
                breaks.add("chose GPUs of the zones " + of + " for what is aligned to one: " + shares);
            }
        });
    }

    /** Checks that a pod counts in zones until there is a report with it. */
    public static void zoned(
            List<String> breaks, NodeState before, NodeState after, List<ReservationTable.Difference> differences) {
        var zones = after.size().devices().zones();
        if (!zones.refuses() || !zones.equals(before.size().devices().zones())) {
            return;
        }
        for (var difference : differences) {
            if (difference.before().isPresent() && difference.after().isPresent()) {
                var is = difference.after().get();
                var was = difference.before().get().zoned();
                if (!is.zoned().equals(was)) {
                    breaks.add(
                            "without a report " + is.pod().label() + " takes " + is.zoned() + " of zones after " + was);
                }
            }
        }
    }

    private static void chosen(List<String> breaks, NodeState before, GpuShare share) {
        var node = before.size().devices();
        boolean healthy =
                node.devices().stream().anyMatch(device -> device.uuid().equals(share.uuid()) && device.healthy());
        if (!node.mode().isShared() || !healthy) {
            breaks.add("chose " + share + " of " + node);
        }
    }

    /** Counts each device alone, and not by the sums of the node ledger. */
    private static void apart(List<String> breaks, NodeState before, List<GpuShare> chosen) {
        var taken = new HashMap<String, Long>();
        chosen.forEach(share -> add(taken, share));
        before.reservations().forEach(other -> other.shares().forEach(share -> add(taken, share)));
        for (var device : before.size().devices().devices()) {
            boolean newly = chosen.stream().anyMatch(share -> share.uuid().equals(device.uuid()));
            long memory = taken.getOrDefault(Device.memoryOf(device.uuid()), 0L);
            long core = taken.getOrDefault(Device.coreOf(device.uuid()), 0L);
            if (newly && (memory > device.memoryMiB() || core > device.core())) {
                breaks.add("promised " + memory + " MiB and " + core + " % of " + device);
            }
        }
    }

    private static void add(HashMap<String, Long> taken, GpuShare share) {
        FixedAmounts amounts = GpuShare.taken(List.of(share));
        amounts.byKind().forEach((kind, amount) -> taken.merge(kind, amount, Long::sum));
    }
}
