package io.sluice.placement.core.zones;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * In which zones a pod can be aligned. What a container takes of its zone is gone for the next one. A resource that no
 * zone names is of the node as a whole, and not asked for here.
 */
public final class ZoneFit {
    private ZoneFit() {}

    /** The zones of each container, or of the pod as a whole; empty where its kubelet would refuse it. */
    public static Optional<List<List<Integer>>> zones(Topology node, ZoneRequest pod) {
        return switch (node.policy()) {
            case NONE, BEST_EFFORT -> Optional.of(List.of());
            case RESTRICTED, SINGLE_ZONE -> aligned(node, pod);
        };
    }

    private static Optional<List<List<Integer>>> aligned(Topology node, ZoneRequest pod) {
        var left = node;
        var chosen = new ArrayList<List<Integer>>();
        for (var part : pod.parts(node)) {
            var wanted = wanted(node, pod, part);
            if (wanted.isEmpty()) {
                return Optional.empty();
            }
            var zones = node.policy() == Topology.Policy.SINGLE_ZONE
                    ? sets(left, 1, wanted.get(), Zone::available).stream().findFirst()
                    : fewest(left, wanted.get());
            if (zones.isEmpty()) {
                return Optional.empty();
            }
            chosen.add(zones.get().stream().map(Zone::id).toList());
            left = left.with(taken(left.zones(), zones.get(), wanted.get()));
        }
        return Optional.of(chosen);
    }

    /** What of a part has to be in zones; empty where the node does not have such a resource. */
    static Optional<Map<String, Long>> wanted(Topology node, ZoneRequest pod, Map<String, Long> part) {
        var wanted = new HashMap<String, Long>();
        for (var resource : part.entrySet()) {
            if (resource.getValue() > 0 && !node.resources().contains(resource.getKey())) {
                return Optional.empty();
            }
            if (resource.getValue() > 0 && node.zones(resource.getKey()) && pod.aligns(resource.getKey())) {
                wanted.put(resource.getKey(), resource.getValue());
            }
        }
        return Optional.of(wanted);
    }

    /** As few zones as could hold it if they were empty, which have it free now. */
    private static Optional<List<Zone>> fewest(Topology node, Map<String, Long> wanted) {
        for (int size = 1; size <= node.zones().size(); size++) {
            if (!sets(node, size, wanted, Zone::allocatable).isEmpty()) {
                return sets(node, size, wanted, Zone::available).stream().findFirst();
            }
        }
        return Optional.empty();
    }

    /** The sets of that many zones which have enough together, those of low numbers first. */
    static List<List<Zone>> sets(
            Topology node, int size, Map<String, Long> wanted, Function<Zone, Map<String, Long>> amounts) {
        var sets = new ArrayList<List<Zone>>();
        collect(node.zones(), size, 0, new ArrayList<>(), set -> {
            boolean enough = wanted.entrySet().stream()
                    .allMatch(resource -> set.stream()
                                    .mapToLong(zone -> amounts.apply(zone).getOrDefault(resource.getKey(), 0L))
                                    .sum()
                            >= resource.getValue());
            if (enough) {
                sets.add(List.copyOf(set));
            }
            return enough;
        });
        return sets;
    }

    static void collect(List<Zone> zones, int size, int from, List<Zone> set, Function<List<Zone>, Boolean> taker) {
        if (set.size() == size) {
            taker.apply(set);
            return;
        }
        for (int next = from; next < zones.size(); next++) {
            set.add(zones.get(next));
            collect(zones, size, next + 1, set, taker);
            set.removeLast();
        }
    }

    /** Takes from the first zones of a set as much as they have. */
    private static List<Zone> taken(List<Zone> all, List<Zone> chosen, Map<String, Long> wanted) {
        var rest = new HashMap<>(wanted);
        return all.stream()
                .map(zone -> {
                    if (!chosen.contains(zone)) {
                        return zone;
                    }
                    var here = new HashMap<String, Long>();
                    rest.replaceAll((resource, amount) -> {
                        long part = Math.min(amount, zone.available(resource));
                        here.put(resource, part);
                        return amount - part;
                    });
                    return zone.without(here);
                })
                .toList();
    }
}
