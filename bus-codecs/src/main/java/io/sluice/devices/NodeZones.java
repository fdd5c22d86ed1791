package io.sluice.devices;

import io.sluice.units.FixedAmounts;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;

/**
 * The NUMA zones of a node as its agent reports them, and how its kubelet aligns pods to them.
 *
 * @param policy what it requires
 * @param byPod whether it aligns a pod as a whole; else each container
 * @param zonesMax the most zones that it knows
 * @param version of the report; it grows with each one
 * @param pods the fingerprint of the pods that the report contains; empty where it is not awaited that they are those
 *     of the ledger
 * @param zones by their numbers
 */
public record NodeZones(Policy policy, boolean byPod, int zonesMax, long version, String pods, List<Zone> zones) {
    /** The most zones of a node where its kubelet is not told another number. */
    public static final int ZONES_MAX = 8;

    /** A node of which no zone is known. */
    public static final NodeZones NONE = none(0);

    /** What a kubelet requires. */
    public enum Policy {
        NONE,
        BEST_EFFORT,
        /** As few zones as could ever hold the request. */
        RESTRICTED,
        /** One zone. */
        SINGLE_ZONE
    }

    public NodeZones {
        Objects.requireNonNull(policy, "policy");
        Objects.requireNonNull(pods, "pods");
        zones = zones.stream().sorted(Comparator.comparingInt(Zone::id)).toList();
        var ids = new HashSet<Integer>();
        zones.forEach(zone -> {
            if (!ids.add(zone.id())) {
                throw new IllegalArgumentException("two zones have the number " + zone.id());
            }
        });
    }

    /** A node that has no zones since a version. */
    public static NodeZones none(long version) {
        return new NodeZones(Policy.NONE, false, ZONES_MAX, version, "", List.of());
    }

    /** Whether the kubelet refuses a pod that it cannot align. */
    public boolean refuses() {
        return !zones.isEmpty() && (policy == Policy.RESTRICTED || policy == Policy.SINGLE_ZONE);
    }

    /** Whether some zone has a resource; any other is of the node as a whole. */
    public boolean have(String resource) {
        return zones.stream().anyMatch(zone -> zone.allocatable().of(resource) > 0);
    }

    /** What all zones can give, zone by zone. */
    public FixedAmounts allocatable() {
        return kinds(Zone::allocatable);
    }

    /** What of that was free by the report. */
    public FixedAmounts available() {
        return kinds(Zone::available);
    }

    private FixedAmounts kinds(Function<Zone, FixedAmounts> of) {
        var kinds = new HashMap<String, Long>();
        zones.forEach(zone -> of.apply(zone)
                .byKind()
                .forEach((resource, amount) -> kinds.put(Zone.kind(zone.id(), resource), amount)));
        return FixedAmounts.of(kinds);
    }

    /** The same zones with what of these totals is not reserved. */
    public NodeZones free(FixedAmounts totals, FixedAmounts reserved) {
        return with(zones.stream()
                .map(zone -> {
                    var free = new HashMap<String, Long>();
                    zone.allocatable().byKind().keySet().forEach(resource -> {
                        var kind = Zone.kind(zone.id(), resource);
                        free.put(resource, Math.max(0, totals.of(kind) - reserved.of(kind)));
                    });
                    return zone.having(FixedAmounts.of(free));
                })
                .toList());
    }

    NodeZones with(List<Zone> newZones) {
        return new NodeZones(policy, byPod, zonesMax, version, pods, newZones);
    }

    /** The same report, of which it is no longer awaited that its pods are those of the ledger. */
    public NodeZones over() {
        return new NodeZones(policy, byPod, zonesMax, version, "", zones);
    }
}
