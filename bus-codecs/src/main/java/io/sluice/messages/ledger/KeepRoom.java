package io.sluice.messages.ledger;

import java.time.Duration;
import java.util.Objects;

/**
 * Requests that room is kept on a node for a pod that waits, or that it is kept no longer. It may be repeated, and
 * replaces what is kept there for the same pod.
 *
 * @param room which
 * @param ttl how long from now; zero ends it
 */
public record KeepRoom(KeptRoom room, Duration ttl) {
    /**
     * The longest time for which room is kept, for a pod from the first request on. That of a workload may be kept
     * again.
     */
    public static final Duration KEPT_AT_MOST = Duration.ofSeconds(60);

    public KeepRoom {
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(ttl, "ttl");
        if (ttl.isNegative() || ttl.compareTo(KEPT_AT_MOST) > 0) {
            throw new IllegalArgumentException("ttl must be from zero to " + KEPT_AT_MOST + ": " + ttl);
        }
    }

    /** Ends what is kept. */
    public static KeepRoom end(KeptRoom room) {
        return new KeepRoom(room, Duration.ZERO);
    }
}
