package io.sluice.ledger.core.state;

import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.KeptRoom;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Room that a node ledger keeps for a pod that waits. It denies holds of other pods. It is not reserved, and VMs grow
 * into it.
 *
 * @param room which
 * @param since since when, for this pod; for a workload since the last request
 * @param until when it ends
 */
public record RoomClaim(KeptRoom room, Instant since, Instant until) {
    public RoomClaim {
        Objects.requireNonNull(room, "room");
        Objects.requireNonNull(since, "since");
        Objects.requireNonNull(until, "until");
    }

    /**
     * What a request keeps. A pod that repeats it gets no more time than it may have from its first request on.
     *
     * @param before what is kept for the same pod
     */
    public static RoomClaim of(KeptRoom room, Duration ttl, Optional<RoomClaim> before, Instant now) {
        var since = before.filter(claim -> !room.isOfWorkload())
                .map(RoomClaim::since)
                .orElse(now);
        var wanted = now.plus(ttl);
        var latest = since.plus(KeepRoom.KEPT_AT_MOST);
        return new RoomClaim(room, since, wanted.isBefore(latest) ? wanted : latest);
    }

    /** Whether it is over. */
    public boolean hasEnded(Instant now) {
        return !now.isBefore(until);
    }

    /** Whether it is kept under that uid. */
    public boolean isOf(String uid) {
        return room.uid().equals(uid);
    }
}
