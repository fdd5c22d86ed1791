package io.sluice.ledger.core;

import java.util.Map;
import java.util.TreeMap;

/**
 * The pods that are gone for good, until a newer listing makes them needless. At most {@value #LIMIT}: beyond, the
 * oldest is forgotten, which can only count a pod too long and never too short.
 *
 * @param versions of each deletion, by the pod's uid
 */
public record Tombstones(Map<String, Long> versions) {
    /** Enough for a node to lose all its pods many times between two listings. */
    public static final int LIMIT = 4096;

    /** Nobody is gone. */
    static final Tombstones NONE = new Tombstones(Map.of());

    public Tombstones {
        versions = Map.copyOf(versions);
    }

    /** Whether the pod is gone. */
    public boolean hold(String uid) {
        return versions.containsKey(uid);
    }

    Tombstones with(String uid, long version) {
        var copy = new TreeMap<>(versions);
        copy.merge(uid, version, Math::max);
        if (copy.size() > LIMIT) {
            var oldest =
                    copy.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
            copy.remove(oldest.getKey());
        }
        return new Tombstones(copy);
    }

    Tombstones after(long listing) {
        if (versions.isEmpty()) {
            return this;
        }
        var copy = new TreeMap<>(versions);
        copy.values().removeIf(version -> version <= listing);
        return new Tombstones(copy);
    }
}
