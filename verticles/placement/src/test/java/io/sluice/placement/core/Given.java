package io.sluice.placement.core;

import io.sluice.devices.NodeDevices;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.AgentContact;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.NodeReadiness;
import io.sluice.messages.ledger.ReservationTraits;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.placement.core.plugins.PodToPlace;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Pods and nodes for tests. Amounts are in CPUs, with 4 GiB for each. */
public final class Given {
    private Given() {}

    public static Resources cpus(double cpus) {
        return new Resources((long) (cpus * 1_000), (long) (cpus * (4L << 30)));
    }

    public static PodObserved pending(String uid, double cpus) {
        return new PodObserved(uid, "ns", uid + "-name", "", "", 1, cpus(cpus), 0);
    }

    public static PodToPlace pod(String uid, double cpus) {
        return new PodToPlace(pending(uid, cpus), Overcommit.OFF);
    }

    public static NodeLedgerView node(String name, double total, double reserved, ReservationView... reservations) {
        var held = List.of(reservations).stream()
                .filter(reservation -> reservation.traits().held())
                .map(ReservationView::reserved)
                .reduce(Resources.NONE, Resources::plus);
        return new NodeLedgerView(
                name,
                true,
                cpus(total),
                cpus(total),
                cpus(reserved),
                cpus(reserved),
                held,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                false,
                0,
                List.of(reservations),
                NodeReadiness.READY,
                0,
                FixedAmounts.NONE,
                FixedAmounts.NONE,
                FixedAmounts.NONE);
    }

    /** A node of 10 CPUs of which none is reserved, with amounts of other kinds. */
    public static NodeLedgerView node(String name, FixedAmounts total, FixedAmounts reserved, NodeDevices devices) {
        return node(name, cpus(10), Resources.NONE, total, reserved, devices);
    }

    private static NodeLedgerView node(
            String name,
            Resources amounts,
            Resources amountsReserved,
            FixedAmounts total,
            FixedAmounts reserved,
            NodeDevices devices) {
        return new NodeLedgerView(
                name,
                true,
                amounts,
                amounts,
                amountsReserved,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                Resources.NONE,
                false,
                0,
                List.of(),
                NodeReadiness.READY,
                0,
                total,
                reserved,
                FixedAmounts.NONE,
                devices,
                Optional.empty(),
                Resources.NONE,
                Optional.empty());
    }

    /** A node with that much room, and room for 100 pods. More than any test frees is reserved. */
    public static NodeLedgerView free(String name, Resources amounts, Map<String, Long> others) {
        var full = new TreeMap<>(others);
        full.put(FixedAmounts.PODS, 100L);
        full.replaceAll((kind, amount) -> 1_000L);
        var places = FixedAmounts.of(Map.of(FixedAmounts.PODS, 100L));
        var much = cpus(1_000);
        return node(
                name,
                much.plus(amounts),
                much,
                FixedAmounts.of(full).plus(FixedAmounts.of(others)).plus(places),
                FixedAmounts.of(full),
                NodeDevices.NONE);
    }

    /** The same node, whose ledger keeps room. */
    public static NodeLedgerView keeping(NodeLedgerView node, KeptRoom room) {
        return with(node, Optional.of(room), node.completedAt());
    }

    /** The same node, whose state was completed at that instant. */
    public static NodeLedgerView completed(NodeLedgerView node, Instant at) {
        return with(node, node.kept(), Optional.of(at));
    }

    private static NodeLedgerView with(NodeLedgerView node, Optional<KeptRoom> kept, Optional<Instant> completedAt) {
        return new NodeLedgerView(
                node.node(),
                node.complete(),
                node.total(),
                node.watermark(),
                node.reserved(),
                node.committed(),
                node.held(),
                node.buffer(),
                node.capacityPressure(),
                node.accountedPressure(),
                node.migrating(),
                node.underPressure(),
                node.invariantsBroken(),
                node.reservations(),
                node.readiness(),
                node.unsettled(),
                node.fixedTotal(),
                node.fixedReserved(),
                node.fixedHeld(),
                node.devices(),
                kept,
                node.deferred(),
                completedAt);
    }

    /** Room that is held. */
    public static ReservationView hold(String holder, double cpus, String attempt) {
        return reservation(holder, cpus, true, attempt);
    }

    /** The reservation of a bound pod. */
    public static ReservationView bound(String pod, double cpus) {
        return reservation(pod, cpus, false, "");
    }

    private static ReservationView reservation(String holder, double cpus, boolean held, String attempt) {
        var traits = new ReservationTraits(
                cpus(cpus),
                Overcommit.OFF,
                Resources.NONE,
                Optional.empty(),
                0,
                false,
                false,
                false,
                held,
                false,
                List.of(),
                attempt,
                FixedAmounts.NONE);
        return new ReservationView(
                holder,
                "ns",
                holder + "-name",
                "",
                cpus(cpus),
                cpus(cpus),
                Resources.NONE,
                Resources.NONE,
                cpus(cpus),
                false,
                AgentContact.REQUESTED,
                0,
                0,
                traits);
    }
}
