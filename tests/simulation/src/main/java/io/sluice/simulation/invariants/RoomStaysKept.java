package io.sluice.simulation.invariants;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.simulation.model.Happening;
import io.sluice.simulation.model.World;
import io.sluice.units.ResourceKind;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * No hold of another pod or gang that has no higher priority takes of the room that a node keeps, and a room is kept
 * for a minute at most. When it began is recorded here, independently of the ledger state.
 */
public final class RoomStaysKept implements StepInvariant {
    private static final Duration AT_MOST = Duration.ofSeconds(60);

    private final Map<String, Begun> rooms = new HashMap<>();

    private record Begun(String uid, Instant ends) {}

    @Override
    public String name() {
        return "room stays kept";
    }

    @Override
    public void check(World world, Happening.Commanded step) {
        var now = world.ledger().now();
        if (step.reply() instanceof KeepReply.Kept) {
            begins(step, now);
        }
        if (step.command() instanceof LedgerCommand.Tick && isLate(step.after(), now)) {
            throw broken("still kept at " + now + ": " + step.after().claim() + " on " + step.node());
        }
        if (step.command() instanceof LedgerCommand.Hold hold && step.reply() instanceof HoldReply.Held) {
            step.before()
                    .claim()
                    .map(claim -> claim.room())
                    .filter(room -> !isLate(step.before(), now) && keepsFrom(room, hold))
                    .ifPresent(room -> left(step, room));
        }
    }

    /** A repeat for the same pod begins nothing, unless its time is over. */
    private void begins(Happening.Commanded step, Instant now) {
        var claim = step.after().claim().orElseThrow();
        boolean repeats = step.before()
                .claim()
                .filter(before -> before.isOf(claim.room().uid()) && !isLate(step.before(), now))
                .isPresent();
        if (!repeats) {
            rooms.put(step.node(), new Begun(claim.room().uid(), now.plus(AT_MOST)));
        }
        if (claim.until().isAfter(rooms.get(step.node()).ends())) {
            throw broken("kept beyond " + rooms.get(step.node()) + " by " + reported(step));
        }
    }

    private boolean isLate(NodeState state, Instant now) {
        return state.claim()
                .map(claim -> rooms.get(state.node()))
                .filter(begun -> !now.isBefore(begun.ends()))
                .isPresent();
    }

    private static boolean keepsFrom(KeptRoom room, LedgerCommand.Hold hold) {
        var pod = hold.reservation().pod();
        return !room.uid().equals(pod.id())
                && !hold.attempt().startsWith(room.uid() + ".")
                && (HoldRoom.isForMigration(pod.id()) || hold.priority() <= room.upTo());
    }

    private void left(Happening.Commanded step, KeptRoom room) {
        for (var kind : ResourceKind.values()) {
            long is = step.after().sums().reserved().of(kind);
            boolean taken = is > step.before().sums().reserved().of(kind);
            if (taken
                    && is + room.charge().of(kind) > step.after().size().total().of(kind)) {
                throw broken(kind + " of " + room + " was taken by " + reported(step));
            }
        }
    }
}
