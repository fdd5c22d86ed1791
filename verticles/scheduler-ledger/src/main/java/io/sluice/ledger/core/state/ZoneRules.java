package io.sluice.ledger.core.state;

import io.sluice.devices.DeviceMisfit;
import io.sluice.devices.NodeZones;
import io.sluice.devices.PodFingerprint;
import io.sluice.devices.Zone;
import io.sluice.devices.ZoneFit;
import io.sluice.devices.ZoneRequest;
import io.sluice.units.FixedAmounts;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;

/**
 * NUMA zones. The kubelet chooses the zone of a pod, and tells nobody. So a pod counts in each zone until a report of
 * the node contains exactly the pods that have reservations here; then what is free by the report is the total, and
 * none of them counts any more.
 */
public final class ZoneRules {
    private ZoneRules() {}

    /**
     * The zones by the newest report. One that was weighed before is not weighed again: pods may have changed since.
     * Versions do not compare where the node's version is empty, nor that of a node whose zones are not read.
     */
    public static NodeZones newest(NodeState.Size known, NodeZones reported) {
        var before = known.devices().zones();
        boolean older = known.version().isPresent() && reported.version() > 0 && reported.version() < before.version();
        return older || before.version() == reported.version() ? before : reported;
    }

    /** What can be reserved of zones: what was free by the last report with the ledger's pods; nothing before. */
    public static FixedAmounts totals(NodeState.Size known, NodeZones zones) {
        return known.fixed().min(zones.allocatable());
    }

    /** Why a pod cannot be aligned; empty where it can, or its kubelet admits it anyway. */
    public static Optional<DeviceMisfit> misfit(NodeState state, FixedAmounts pod) {
        var size = state.size();
        return ZoneFit.misfit(size.devices().zones(), size.fixed(), state.sums().fixed(), ZoneRequest.of(pod));
    }

    /** What a pod takes of zones. */
    public static FixedAmounts taken(NodeState state, FixedAmounts pod) {
        var size = state.size();
        return ZoneFit.taken(size.devices().zones(), size.fixed(), state.sums().fixed(), ZoneRequest.of(pod));
    }

    /** All that a pod takes of the other kinds for which no room was held. */
    public static FixedAmounts counted(NodeState state, FixedAmounts pod) {
        var zones = state.size().devices().zones();
        return state.size().counted(pod).plus(ZoneFit.taken(zones, ZoneRequest.of(pod)));
    }

    /** The state after a command, with what the last report of zones says about it. */
    public static NodeState settled(NodeState before, NodeState after) {
        var zones = after.size().devices().zones();
        if (before == after
                || zones.zones().isEmpty() && before.size().devices().zones() == zones) {
            return after;
        }
        if (zones.zones().isEmpty()) {
            return unzoned(after);
        }
        boolean awaited = !zones.pods().isEmpty();
        boolean sameReport = zones.version() == before.size().devices().zones().version();
        if (awaited && sameReport && came(before, after)) {
            // It cannot contain that pod. Another one of the same name must not be taken for it.
            return with(after, zones.over(), after.size().fixed());
        }
        if (!awaited || !zones.pods().equals(fingerprint(after))) {
            return after;
        }
        var other = after.size().fixed().only(kind -> !Zone.isKind(kind));
        return with(unzoned(after), zones.over(), other.plus(zones.available()));
    }

    private static boolean came(NodeState before, NodeState after) {
        if (before.reservations() != after.reservations()) {
            for (var reservation : after.reservations()) {
                if (before.reservations().find(reservation.id()).isEmpty()) {
                    return true;
                }
            }
        }
        return false;
    }

    private static String fingerprint(NodeState state) {
        var pods = new ArrayList<Map.Entry<String, String>>(state.reservations().size());
        for (var reservation : state.reservations()) {
            pods.add(Map.entry(reservation.pod().namespace(), reservation.pod().name()));
        }
        return PodFingerprint.of(pods);
    }

    private static NodeState unzoned(NodeState state) {
        var next = state;
        for (var reservation : state.reservations()) {
            if (!reservation.zoned().isNone()) {
                next = next.with(unzoned(reservation));
            }
        }
        return next;
    }

    private static Reservation unzoned(Reservation reservation) {
        return reservation.with(reservation.fixed().only(kind -> !Zone.isKind(kind)));
    }

    private static NodeState with(NodeState state, NodeZones zones, FixedAmounts fixed) {
        var size = state.size();
        return state.with(new NodeState.Size(
                size.version(),
                size.total(),
                size.watermark(),
                size.goneAt(),
                size.notReady(),
                fixed,
                size.devices().with(zones)));
    }
}
