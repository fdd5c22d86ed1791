package io.sluice.messages.cluster;

import java.util.Objects;
import java.util.Set;

/**
 * The migrations that existed at one version: a migration that is not among them and is no newer is gone.
 *
 * @param version of the list
 * @param uids of the objects in it
 */
public record ObservedMigrations(long version, Set<String> uids) {
    /** A larger set is not published. */
    public static final int MOST = 10_000;

    public ObservedMigrations {
        uids = Set.copyOf(Objects.requireNonNull(uids, "uids"));
    }

    /** Whether the object that was observed at that version is certainly gone. */
    public boolean misses(String uid, long observedAt) {
        return observedAt <= version && !uids.contains(uid);
    }
}
