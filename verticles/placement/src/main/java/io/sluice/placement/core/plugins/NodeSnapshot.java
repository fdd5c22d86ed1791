package io.sluice.placement.core.plugins;

import io.sluice.devices.DeviceRoom;
import io.sluice.devices.GpuShare;
import io.sluice.devices.NodeZones;
import io.sluice.devices.ZoneFit;
import io.sluice.devices.ZoneRequest;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.shell.load.NodeUse;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The last known sums of a node's ledger. They may be old: the ledger decides on each hold.
 *
 * @param node its name
 * @param complete whether its ledger grants anything
 * @param readiness what is granted there by its condition Ready
 * @param total what it can give
 * @param watermark above this, VMs should leave it
 * @param reserved the sum of its charges, and of the holds that were granted since
 * @param use of its VMs, as far as it is known
 * @param kept rooms that are kept there, each for a pod that waits
 * @param fixedTotal what it can give of the other kinds
 * @param fixedReserved the same as {@code reserved} for the other kinds
 * @param devices what its GPUs have left
 */
public record NodeSnapshot(
        String node,
        boolean complete,
        NodeReadiness readiness,
        Resources total,
        Resources watermark,
        Resources reserved,
        NodeUse use,
        List<KeptRoom> kept,
        FixedAmounts fixedTotal,
        FixedAmounts fixedReserved,
        DeviceRoom devices) {
    public NodeSnapshot {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(readiness, "readiness");
        Objects.requireNonNull(total, "total");
        Objects.requireNonNull(watermark, "watermark");
        Objects.requireNonNull(reserved, "reserved");
        Objects.requireNonNull(use, "use");
        kept = List.copyOf(kept);
        Objects.requireNonNull(fixedTotal, "fixedTotal");
        Objects.requireNonNull(fixedReserved, "fixedReserved");
        Objects.requireNonNull(devices, "devices");
    }

    /** A node without GPUs. */
    public NodeSnapshot(
            String node,
            boolean complete,
            NodeReadiness readiness,
            Resources total,
            Resources watermark,
            Resources reserved,
            NodeUse use,
            List<KeptRoom> kept,
            FixedAmounts fixedTotal,
            FixedAmounts fixedReserved) {
        this(
                node,
                complete,
                readiness,
                total,
                watermark,
                reserved,
                use,
                kept,
                fixedTotal,
                fixedReserved,
                DeviceRoom.NONE);
    }

    public static NodeSnapshot of(NodeLedgerView ledger) {
        return new NodeSnapshot(
                ledger.node(),
                ledger.complete(),
                ledger.readiness(),
                ledger.total(),
                ledger.watermark(),
                ledger.reserved(),
                NodeUse.NONE,
                ledger.kept().stream().toList(),
                ledger.fixedTotal(),
                ledger.fixedReserved(),
                DeviceRoom.of(ledger.devices(), ledger.fixedReserved()));
    }

    /** Its NUMA zones. */
    public NodeZones zones() {
        return devices.node().zones();
    }

    /** Whether Sluice chooses GPUs there. */
    public boolean hasDevices() {
        return devices.count() > 0 && devices.node().mode().isShared();
    }

    /** The same node after the end of some of its pods. */
    public static NodeSnapshot without(List<String> pods, NodeLedgerView ledger) {
        var node = of(ledger);
        for (var reservation : ledger.reservations()) {
            if (pods.contains(reservation.pod())) {
                var ended = reservation.traits();
                node = node.reserving(node.reserved.minus(ended.charge()), node.fixedReserved.minus(ended.fixed()));
            }
        }
        return node;
    }

    /**
     * The same with that much more reserved.
     *
     * @param shares the GPUs that the pod gets
     */
    public NodeSnapshot holding(PodToPlace pod, List<GpuShare> shares) {
        var taken = GpuShare.taken(shares)
                .plus(devices.node().counted(pod.pod().fixed(), fixedTotal))
                .plus(ZoneFit.taken(
                        zones(),
                        fixedTotal,
                        fixedReserved,
                        ZoneRequest.of(pod.pod().fixed())));
        return reserving(reserved.plus(pod.charge()), fixedReserved.plus(taken));
    }

    /** The same with the GPUs and NUMA zones that a pod takes, and nothing else of it. */
    public NodeSnapshot taking(List<GpuShare> shares, ZoneRequest aligned) {
        var taken = GpuShare.taken(shares).plus(ZoneFit.taken(zones(), fixedTotal, fixedReserved, aligned));
        return reserving(reserved, fixedReserved.plus(taken));
    }

    /** The same with other reservations. */
    public NodeSnapshot reserving(Resources newReserved) {
        return reserving(newReserved, fixedReserved);
    }

    private NodeSnapshot reserving(Resources newReserved, FixedAmounts newFixed) {
        return new NodeSnapshot(
                node,
                complete,
                readiness,
                total,
                watermark,
                newReserved,
                use,
                kept,
                fixedTotal,
                newFixed,
                DeviceRoom.of(devices.node(), newFixed));
    }

    /** The same with another use. */
    public NodeSnapshot using(NodeUse newUse) {
        return new NodeSnapshot(
                node,
                complete,
                readiness,
                total,
                watermark,
                reserved,
                newUse,
                kept,
                fixedTotal,
                fixedReserved,
                devices);
    }

    /** The same with other rooms that are kept. */
    public NodeSnapshot keeping(List<KeptRoom> rooms) {
        return new NodeSnapshot(
                node, complete, readiness, total, watermark, reserved, use, rooms, fixedTotal, fixedReserved, devices);
    }

    /**
     * The room that is kept from a pod, and of which it would take.
     *
     * @param now what is reserved at present, if that differs from these sums
     * @param charge what the pod would add
     * @param fixed the same of the other kinds
     * @param isFor whether a room is kept for that pod
     */
    public Optional<KeptRoom> keptFrom(
            Resources now, Resources charge, FixedAmounts fixed, int priority, Predicate<KeptRoom> isFor) {
        for (var room : kept) {
            if (priority <= room.upTo()
                    && !isFor.test(room)
                    && room.isTouched(
                            charge,
                            fixed,
                            total.minus(now).minus(charge),
                            fixedTotal.minus(fixedReserved).minus(fixed))) {
                return Optional.of(room);
            }
        }
        return Optional.empty();
    }
}
