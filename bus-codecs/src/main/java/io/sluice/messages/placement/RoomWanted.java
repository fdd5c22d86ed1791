package io.sluice.messages.placement;

import java.util.List;

/**
 * Pods that no node can take for want of room in the ledger, so that pods of lower priority may be evicted for them.
 * Published again while they wait.
 *
 * @param pods their uids
 */
public record RoomWanted(List<String> pods) {
    public RoomWanted {
        pods = List.copyOf(pods);
    }
}
