package io.sluice.ledger.core.state;

import io.sluice.messages.ledger.KeepRoom;
import java.util.List;

/** What is true of the room that a node keeps, after every command. */
public final class ClaimInvariants {
    private ClaimInvariants() {}

    /** Checks one state. */
    public static void check(List<String> breaks, NodeState state) {
        state.claim().ifPresent(claim -> {
            var label = " for " + claim.room().pod();
            if (!claim.room().node().equals(state.node())) {
                breaks.add("room on " + claim.room().node() + " is kept" + label + " in the ledger of " + state.node());
            }
            if (claim.until().isAfter(claim.since().plus(KeepRoom.KEPT_AT_MOST))) {
                breaks.add("room is kept" + label + " from " + claim.since() + " until " + claim.until());
            }
            if (state.reservations().find(claim.room().uid()).isPresent()) {
                breaks.add("room is kept" + label + ", which has a reservation");
            }
        });
    }

    /**
     * Checks one step. What was kept before may have ended when the later room began, and only then.
     *
     * @param keeps whether the command keeps room
     */
    public static void check(List<String> breaks, NodeState before, NodeState after, boolean keeps) {
        if (after.claim().isEmpty() || after.claim().equals(before.claim())) {
            return;
        }
        var claim = after.claim().get();
        if (!keeps) {
            breaks.add("a command that keeps no room changed what is kept to " + claim);
        }
        before.claim()
                .filter(was -> claim.since().isBefore(was.until()))
                .filter(was -> !follows(was, claim))
                .ifPresent(was -> breaks.add("what is kept changed from " + was + " to " + claim));
    }

    private static boolean follows(RoomClaim was, RoomClaim claim) {
        boolean same = claim.isOf(was.room().uid());
        return same
                ? claim.since().equals(was.since()) || claim.room().isOfWorkload()
                : claim.room().upTo() > was.room().upTo();
    }
}
