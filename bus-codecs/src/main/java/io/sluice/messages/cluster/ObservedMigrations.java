package io.sluice.messages.cluster;

import java.util.Objects;
import java.util.Set;

/**
 * The migrations that were there at one version: what is not among them and is no newer is gone.
 *
 * @param version of the list
 * @param uids of the objects in it
 */
public record ObservedMigrations(long version, Set<String> uids) {
    /** A list of more is not told. */
    public static final int MOST = 10_000;

    public ObservedMigrations {
        uids = Set.copyOf(Objects.requireNonNull(uids, "uids"));
    }

    /** Whether the object that was seen at that version is certainly gone. */
    public boolean misses(String uid, long seenAt) {
        return seenAt <= version && !uids.contains(uid);
    }
}
