package io.sluice.ledger.core;

import io.sluice.units.Resources;
import java.time.Instant;
import java.util.Optional;

/** Room reserved for members before they are bound. */
final class Holding {
    private Holding() {}

    static Outcome<HoldReply> hold(NodeState state, LedgerCommand.Hold command, Instant now) {
        var booking = command.booking();
        var known = state.members().find(booking.who().id());
        if (known.isPresent() && !known.get().standing().held()) {
            return Outcome.of(state, new HoldReply.Bound());
        }
        if (state.notReady().isPresent()) {
            return Outcome.of(state, new HoldReply.NotReady(state.notReady().get()));
        }
        if (state.gone().hold(booking.who().id())) {
            return Outcome.of(state, new HoldReply.Gone());
        }
        var before = known.map(member -> member.amounts().charge()).orElse(Resources.NONE);
        var wanted = state.sums().reserved().minus(before).plus(booking.charge());
        boolean grows = known.isEmpty() || booking.charge().exceeds(before);
        if (grows && wanted.exceeds(state.size().total())) {
            return Outcome.of(
                    state, new HoldReply.NoRoom(wanted.minus(state.size().total())));
        }
        var until = later(known, now.plus(command.ttl()));
        return Outcome.of(state.with(member(booking, Standing.holding(until), now)), new HoldReply.Held(until));
    }

    /** A repeat never shortens a hold. */
    private static Instant later(Optional<Member> known, Instant until) {
        return known.flatMap(member -> member.standing().heldUntil())
                .filter(until::isBefore)
                .orElse(until);
    }

    static Outcome<HoldReply> bind(NodeState state, Booking booking, Instant now) {
        var known = state.members().find(booking.who().id());
        if (known.isPresent()) {
            return confirm(state, booking.who().id());
        }
        if (state.gone().hold(booking.who().id())) {
            return Outcome.of(state, new HoldReply.Gone());
        }
        return Outcome.of(state.with(member(booking, Standing.boundThroughUs(), now)), new HoldReply.Bound());
    }

    static Outcome<HoldReply> confirm(NodeState state, String id) {
        var known = state.members().find(id);
        if (known.isEmpty()) {
            return Outcome.of(state, new HoldReply.NoSuchHold());
        }
        var member = known.get();
        var bound = member.standing().held()
                ? state.with(member.with(member.standing().bound()))
                : state;
        return Outcome.of(bound, new HoldReply.Bound());
    }

    static Outcome<HoldReply> release(NodeState state, String id) {
        var known = state.members().find(id);
        if (known.isPresent() && !known.get().standing().held()) {
            return Outcome.of(state, new HoldReply.Bound());
        }
        return Outcome.of(state.without(id), new HoldReply.Released());
    }

    private static Member member(Booking booking, Standing standing, Instant now) {
        return new Member(
                booking.who(),
                Amounts.used(booking.amounts(), booking.overcommit()),
                Limits.fixed(booking.amounts()),
                Talk.NONE,
                standing,
                new Seen(Optional.empty(), Optional.empty(), now));
    }
}
