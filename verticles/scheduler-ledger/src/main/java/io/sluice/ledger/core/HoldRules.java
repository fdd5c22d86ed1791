package io.sluice.ledger.core;

import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Room reserved for members before they are bound. */
final class HoldRules {
    /** A hold that is needed for longer is asked for again. */
    private static final Duration STANDS_AT_MOST = Duration.ofHours(1);

    private HoldRules() {}

    static CommandOutcome<HoldReply> hold(NodeState state, LedgerCommand.Hold command, Instant now) {
        var id = command.booking().who().id();
        var known = state.members().find(id);
        if (isTakenOver(state, id, command.attempt())
                || known.filter(member -> !member.standing().held()).isPresent()) {
            return CommandOutcome.of(state, new HoldReply.Bound());
        }
        if (state.gone().ended(command.attempt())) {
            return CommandOutcome.of(state, new HoldReply.AttemptOver());
        }
        var other = known.map(member -> member.standing().heldFor()).filter(it -> !it.equals(command.attempt()));
        if (other.isPresent()) {
            return CommandOutcome.of(state, new HoldReply.OfAnother(other.get()));
        }
        if (state.notReady().isPresent()) {
            return CommandOutcome.of(
                    state, new HoldReply.NotReady(state.notReady().get()));
        }
        if (state.gone().hold(id)) {
            return CommandOutcome.of(state, new HoldReply.Gone());
        }
        return fitted(state, known, held(command, known, now), now);
    }

    private static CommandOutcome<HoldReply> fitted(
            NodeState state, Optional<Reservation> known, Reservation held, Instant now) {
        var before = known.map(member -> member.amounts().charge()).orElse(Resources.NONE);
        var charge = held.amounts().charge();
        var wanted = state.sums().reserved().minus(before).plus(charge);
        var total = state.size().total();
        boolean grows = known.isEmpty() || charge.exceeds(before);
        if (grows && state.size().notReady().isPresent()) {
            return CommandOutcome.of(state, new HoldReply.NodeNotReady());
        }
        if (grows && wanted.exceeds(total)) {
            return CommandOutcome.of(
                    state,
                    new HoldReply.NoRoom(wanted.minus(total), state.sums().reserved(), total));
        }
        return CommandOutcome.of(state.with(held), stands(held, now));
    }

    /** A repeat never shortens a hold, and what its VM was seen to use counts more than what was asked for it. */
    private static Reservation held(LedgerCommand.Hold command, Optional<Reservation> known, Instant now) {
        var ttl = command.ttl().compareTo(STANDS_AT_MOST) > 0 ? STANDS_AT_MOST : command.ttl();
        var until = now.plus(ttl);
        if (known.isEmpty()) {
            return member(command.booking(), ReservationStatus.holding(until, command.attempt()), now);
        }
        var before = known.get();
        var later = before.standing().heldUntil().filter(until::isBefore).orElse(until);
        var longer = before.with(before.standing().heldTo(later));
        return before.seen().vm().isPresent() ? longer : longer.bookedAs(command.booking());
    }

    private static HoldReply stands(Reservation held, Instant now) {
        return held.standing()
                .heldUntil()
                .<HoldReply>map(until -> new HoldReply.Held(Duration.between(now, until)))
                .orElseGet(HoldReply.Bound::new);
    }

    static CommandOutcome<HoldReply> bind(NodeState state, NewReservation booking, Instant now) {
        var id = booking.who().id();
        if (isTakenOver(state, id, AttemptId.NONE) || state.members().find(id).isPresent()) {
            return confirm(state, id, now);
        }
        if (state.gone().hold(id)) {
            return CommandOutcome.of(state, new HoldReply.Gone());
        }
        return CommandOutcome.of(
                state.with(member(booking, ReservationStatus.bound(true, MigrationArrival.NONE), now)),
                new HoldReply.Bound());
    }

    /** Room held for a migration is bound by its target's pod alone: nothing else would ever free it again. */
    static CommandOutcome<HoldReply> confirm(NodeState state, String id, Instant now) {
        if (isTakenOver(state, id, AttemptId.NONE)) {
            return CommandOutcome.of(state, new HoldReply.Bound());
        }
        var known = state.members().find(id);
        if (known.isEmpty()) {
            return CommandOutcome.of(state, new HoldReply.NoSuchHold());
        }
        var member = known.get();
        if (HoldRoom.isForMigration(id) || !member.standing().held()) {
            return CommandOutcome.of(state, stands(member, now));
        }
        return CommandOutcome.of(state.with(member.with(member.standing().bound())), new HoldReply.Bound());
    }

    /** Only its own attempt's room is freed; whatever stands, that attempt is over. */
    static CommandOutcome<HoldReply> release(NodeState state, LedgerCommand.Release command, Instant now) {
        var id = command.member();
        var known = state.members().find(id);
        var ended = state.with(state.gone().ending(command.attempt(), now));
        if (isTakenOver(state, id, command.attempt())
                || known.filter(member -> !member.standing().held()).isPresent()) {
            return CommandOutcome.of(ended, new HoldReply.Bound());
        }
        boolean own = known.filter(member -> member.standing().heldFor().equals(command.attempt()))
                .isPresent();
        return CommandOutcome.of(own ? ended.without(id) : ended, new HoldReply.Released());
    }

    /** Whether a migration's target has come that took over, or made needless, the room under this name. */
    static boolean isTakenOver(NodeState state, String holder, String attempt) {
        if (!HoldRoom.isForMigration(holder)) {
            return false;
        }
        for (var member : state.members()) {
            if (member.standing().arrival().tookOver(holder, attempt)) {
                return true;
            }
        }
        return false;
    }

    private static Reservation member(NewReservation booking, ReservationStatus standing, Instant now) {
        return new Reservation(
                booking.who(),
                booking.used(),
                ReservationLimits.fixed(booking.amounts()),
                AgentSession.NONE,
                standing,
                new Observations(Optional.empty(), Optional.empty(), now));
    }
}
