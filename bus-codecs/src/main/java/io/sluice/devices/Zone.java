package io.sluice.devices;

import io.sluice.units.FixedAmounts;
import java.util.Map;
import java.util.Objects;

/**
 * A NUMA zone of a node.
 *
 * @param id its number; numbers may have gaps
 * @param allocatable what it can give, by resource: CPU in milli-CPU, all others in their own unit
 * @param available what of that is free
 * @param distances to other zones and to itself, by their numbers
 */
public record Zone(int id, FixedAmounts allocatable, FixedAmounts available, Map<Integer, Integer> distances) {
    /** What counts where a distance is not reported. */
    private static final int UNKNOWN = 255;

    private static final String KIND = "zone/";

    public Zone {
        Objects.requireNonNull(allocatable, "allocatable");
        Objects.requireNonNull(available, "available");
        distances = Map.copyOf(distances);
    }

    /** A zone of which all is free, and no distance is known. */
    public Zone(int id, FixedAmounts available) {
        this(id, available, available, Map.of());
    }

    /** The kind under which the ledger counts a resource of a zone. */
    public static String kind(int zone, String resource) {
        return KIND + zone + "/" + resource;
    }

    /** Whether a kind is an amount of one zone. */
    public static boolean isKind(String kind) {
        return kind.startsWith(KIND);
    }

    /** The distance to another zone. */
    public int distanceTo(Zone other) {
        return distances.getOrDefault(other.id, UNKNOWN);
    }

    Zone having(FixedAmounts newAvailable) {
        return new Zone(id, allocatable, newAvailable, distances);
    }
}
