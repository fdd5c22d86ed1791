package io.sluice.messages.placement;

import io.sluice.messages.ledger.KeptRoom;
import java.util.List;
import java.util.Objects;

/**
 * All rooms that are kept at present for pods for which others were evicted. Published each second; it counts for a few
 * seconds.
 *
 * @param by the name of the own scheduler; empty if there is none
 * @param rooms one for each node at most
 */
public record KeptRooms(String by, List<KeptRoom> rooms) {
    public KeptRooms {
        Objects.requireNonNull(by, "by");
        rooms = List.copyOf(rooms);
    }
}
