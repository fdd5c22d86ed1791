package io.sluice.placement.core.zones;

import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How a node's kubelet aligns pods to its NUMA zones.
 *
 * @param policy what it requires
 * @param byPod whether it aligns a pod as a whole; else each container
 * @param zonesMax the most zones that it knows
 * @param resources what the node names at all
 * @param zones by their numbers
 */
public record Topology(Policy policy, boolean byPod, int zonesMax, Set<String> resources, List<Zone> zones) {
    /** The most zones of a node where its kubelet is not told another number. */
    public static final int ZONES_MAX = 8;

    /** What a kubelet requires. */
    public enum Policy {
        NONE,
        BEST_EFFORT,
        /** As few zones as could ever hold the request. */
        RESTRICTED,
        /** One zone. */
        SINGLE_ZONE
    }

    public Topology {
        Objects.requireNonNull(policy, "policy");
        resources = Set.copyOf(resources);
        zones = zones.stream().sorted(Comparator.comparingInt(Zone::id)).toList();
    }

    /** A node of which all resources are in zones. */
    public Topology(Policy policy, boolean byPod, List<Zone> zones) {
        this(
                policy,
                byPod,
                ZONES_MAX,
                zones.stream()
                        .flatMap(zone -> zone.available().keySet().stream())
                        .collect(Collectors.toSet()),
                zones);
    }

    /** Whether some zone has a resource; any other is of the node as a whole. */
    boolean zones(String resource) {
        return zones.stream().anyMatch(zone -> zone.available().containsKey(resource));
    }

    Topology with(List<Zone> newZones) {
        return new Topology(policy, byPod, zonesMax, resources, newZones);
    }
}
