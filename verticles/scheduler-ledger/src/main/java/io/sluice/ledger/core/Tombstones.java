package io.sluice.ledger.core;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What is over for good, so that nothing late revives it. Of pods at most {@value #LIMIT}: beyond, the oldest is
 * forgotten, which can only count a pod too long and never too short. Of attempts at most {@value #ATTEMPTS_MAX}, each
 * for an hour: a copy of its question that is later than that may hold room until that runs out, or leave a mark that
 * is found to stand alone.
 *
 * @param versions of each pod's deletion, by its uid, until a newer listing makes them needless
 * @param attempts when each attempt to move a VM was over, by its id
 */
public record Tombstones(Map<String, Long> versions, Map<String, Instant> attempts) {
    /** Enough for a node to lose all its pods many times between two listings. */
    public static final int LIMIT = 4096;

    /** Enough for one attempt every four seconds to fail for an hour. */
    public static final int ATTEMPTS_MAX = 1024;

    private static final Duration ATTEMPTS_KEPT = Duration.ofHours(1);

    /** Nobody is gone. */
    static final Tombstones NONE = new Tombstones(Map.of(), Map.of());

    public Tombstones {
        versions = Map.copyOf(versions);
        attempts = Map.copyOf(attempts);
    }

    /** Whether the pod is gone. */
    public boolean hold(String uid) {
        return versions.containsKey(uid);
    }

    /** Whether the attempt is over; none never is. */
    boolean ended(String attempt) {
        return attempts.containsKey(attempt);
    }

    Tombstones with(String uid, long version) {
        var copy = new TreeMap<>(versions);
        copy.merge(uid, version, Math::max);
        keepYoungest(copy, LIMIT);
        return new Tombstones(copy, attempts);
    }

    /** The attempt is over from now on; the same where it was, or where it is none. */
    Tombstones ending(String attempt, Instant now) {
        if (attempt.isEmpty() || ended(attempt)) {
            return this;
        }
        var copy = new TreeMap<>(attempts);
        copy.values().removeIf(over -> over.plus(ATTEMPTS_KEPT).isBefore(now));
        copy.put(attempt, Objects.requireNonNull(now, "now"));
        keepYoungest(copy, ATTEMPTS_MAX);
        return new Tombstones(versions, copy);
    }

    private static <V extends Comparable<V>> void keepYoungest(Map<String, V> all, int most) {
        if (all.size() > most) {
            var oldest =
                    all.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow();
            all.remove(oldest.getKey());
        }
    }

    /** Versions start anew; attempts have none. */
    Tombstones inNewEpoch() {
        return new Tombstones(Map.of(), attempts);
    }

    Tombstones after(long listing) {
        if (versions.isEmpty()) {
            return this;
        }
        var copy = new TreeMap<>(versions);
        copy.values().removeIf(version -> version <= listing);
        return new Tombstones(copy, attempts);
    }
}
