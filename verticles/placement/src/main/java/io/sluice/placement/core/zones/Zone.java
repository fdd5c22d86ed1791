package io.sluice.placement.core.zones;

import java.util.HashMap;
import java.util.Map;

/**
 * A NUMA zone of a node.
 *
 * @param id its number; numbers may have gaps
 * @param allocatable what it can give, by resource
 * @param available what of that is free
 * @param distances to other zones and to itself, by their numbers
 */
public record Zone(
        int id, Map<String, Long> allocatable, Map<String, Long> available, Map<Integer, Integer> distances) {
    /** What counts where a distance is not reported. */
    private static final int UNKNOWN = 255;

    public Zone {
        allocatable = Map.copyOf(allocatable);
        available = Map.copyOf(available);
        distances = Map.copyOf(distances);
    }

    /** A zone of which all is free, and no distance is known. */
    public Zone(int id, Map<String, Long> available) {
        this(id, available, available, Map.of());
    }

    long available(String resource) {
        return available.getOrDefault(resource, 0L);
    }

    int distanceTo(Zone other) {
        return distances.getOrDefault(other.id, UNKNOWN);
    }

    /** The same with less available. */
    Zone without(Map<String, Long> taken) {
        var left = new HashMap<>(available);
        taken.forEach((resource, amount) -> left.computeIfPresent(resource, (same, free) -> free - amount));
        return new Zone(id, allocatable, left, distances);
    }
}
