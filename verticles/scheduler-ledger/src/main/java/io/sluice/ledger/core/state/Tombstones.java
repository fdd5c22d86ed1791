package io.sluice.ledger.core.state;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Remembered ends of pods and migration attempts, so that no late message revives them. At most {@value #LIMIT} pods:
 * beyond that the oldest is forgotten, which can only count a pod for too long. At most {@value #ATTEMPTS_MAX}
 * attempts, each for an hour: a copy of a request that is later than that may hold room until the hold expires, or
 * leave a mark that is found alone and removed.
 *
 * @param versions of each pod's deletion, by its uid, until a newer full list
 * @param attempts when each migration attempt ended, by its id
 */
public record Tombstones(Map<String, Long> versions, Map<String, Instant> attempts) {
    /** Enough for a node to lose all its pods many times between two full lists. */
    public static final int LIMIT = 4096;

    /** Enough for one failed attempt every four seconds during an hour. */
    public static final int ATTEMPTS_MAX = 1024;

    private static final Duration ATTEMPTS_KEPT = Duration.ofHours(1);

    /** No pod and no attempt has ended. */
    public static final Tombstones NONE = new Tombstones(Map.of(), Map.of());

    public Tombstones {
        versions = Map.copyOf(versions);
        attempts = Map.copyOf(attempts);
    }

    /** Whether the pod has ended. */
    public boolean hold(String uid) {
        return versions.containsKey(uid);
    }

    /** Whether the attempt has ended; false for the empty id. */
    public boolean ended(String attempt) {
        return attempts.containsKey(attempt);
    }

    public Tombstones with(String uid, long version) {
        var copy = new HashMap<>(versions);
        copy.merge(uid, version, Math::max);
        keepYoungest(copy, LIMIT);
        return new Tombstones(copy, attempts);
    }

    /** The same with this attempt as ended; unchanged if it had ended before or the id is empty. */
    public Tombstones ending(String attempt, Instant now) {
        if (attempt.isEmpty() || ended(attempt)) {
            return this;
        }
        var copy = new HashMap<>(attempts);
        copy.values().removeIf(over -> over.plus(ATTEMPTS_KEPT).isBefore(now));
        copy.put(attempt, Objects.requireNonNull(now, "now"));
        keepYoungest(copy, ATTEMPTS_MAX);
        return new Tombstones(versions, copy);
    }

    private static <V extends Comparable<V>> void keepYoungest(Map<String, V> all, int most) {
        if (all.size() > most) {
            var oldest = all.entrySet().stream()
                    .min(Map.Entry.<String, V>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                    .orElseThrow();
            all.remove(oldest.getKey());
        }
    }

    /** Forgets the pods, because versions start again after a store restore. Attempts have no versions. */
    public Tombstones inNewEpoch() {
        return new Tombstones(Map.of(), attempts);
    }

    public Tombstones after(long fullList) {
        if (versions.isEmpty()) {
            return this;
        }
        var copy = new HashMap<>(versions);
        copy.values().removeIf(version -> version <= fullList);
        return new Tombstones(copy, attempts);
    }
}
