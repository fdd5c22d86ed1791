package io.sluice.ledger.core;

import io.sluice.devices.DeviceRoom;
import io.sluice.devices.DeviceSelection;
import io.sluice.devices.DevicesInZones;
import io.sluice.devices.GpuGrant;
import io.sluice.devices.ZoneFit;
import io.sluice.devices.ZoneRequest;
import io.sluice.ledger.core.state.AgentSession;
import io.sluice.ledger.core.state.MigrationArrival;
import io.sluice.ledger.core.state.NewReservation;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Observations;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.ReservationLimits;
import io.sluice.ledger.core.state.ReservationStatus;
import io.sluice.ledger.core.state.RoomClaim;
import io.sluice.ledger.core.state.ZoneRules;
import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.HoldRoom;
import io.sluice.messages.ledger.KeepReply;
import io.sluice.messages.ledger.KeepRoom;
import io.sluice.messages.ledger.KeptRoom;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Reserves room for pods before they are bound, and keeps room for those that wait. */
final class HoldRules {
    /** The longest time to live of a hold. A hold that is needed longer is requested again. */
    private static final Duration STANDS_AT_MOST = Duration.ofHours(1);

    private static final Optional<KeptRoom> NOTHING_KEPT = Optional.empty();

    private HoldRules() {}

    static CommandOutcome<HoldReply> hold(NodeState state, LedgerCommand.Hold command, Instant now) {
        var id = command.reservation().pod().id();
        var known = state.reservations().find(id);
        if (isTakenOver(state, id, command.attempt())
                || known.filter(reservation -> !reservation.status().held()).isPresent()) {
            return CommandOutcome.of(state, new HoldReply.Bound());
        }
        if (state.gone().ended(command.attempt())) {
            return CommandOutcome.of(state, new HoldReply.AttemptOver());
        }
        var other =
                known.map(reservation -> reservation.status().heldFor()).filter(it -> !it.equals(command.attempt()));
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
        var present = state.fullList().completedAt();
        if (known.isEmpty()
                && command.knownState()
                        .filter(it -> !present.equals(Optional.of(it)))
                        .isPresent()) {
            return CommandOutcome.of(state, new HoldReply.StateReplaced(present.orElseThrow()));
        }
        return fitted(state, known, command, now);
    }

    private static CommandOutcome<HoldReply> fitted(
            NodeState state, Optional<Reservation> known, LedgerCommand.Hold command, Instant now) {
        var wished = held(state, command, known, now);
        return switch (devices(state, wished, command.reservation())) {
            case DeviceSelection.Refused(var misfit) -> CommandOutcome.of(state, new HoldReply.NoDevice(misfit));
            case DeviceSelection.Chosen(var shares, var _) -> aligned(state, known, wished.with(shares), command, now);
        };
    }

    /** A repeat has its zones already. */
    private static CommandOutcome<HoldReply> aligned(
            NodeState state, Optional<Reservation> known, Reservation wished, LedgerCommand.Hold command, Instant now) {
        if (known.isPresent()) {
            return fitted(state, known, wished, command, now);
        }
        var pod = command.reservation().fixed();
        return ZoneRules.misfit(state, pod)
                .map(misfit -> CommandOutcome.<HoldReply>of(state, new HoldReply.NoDevice(misfit)))
                .orElseGet(() -> fitted(
                        state, known, wished.with(wished.fixed().plus(ZoneRules.taken(state, pod))), command, now));
    }

    /** The GPUs of a hold. The ledger chooses them once; a repeat gets the same. */
    private static DeviceSelection.Selection devices(NodeState state, Reservation wished, NewReservation request) {
        if (!wished.shares().isEmpty()) {
            return new DeviceSelection.Chosen(wished.shares(), 0);
        }
        var reserved = state.sums().fixed();
        var room = DeviceRoom.of(state.size().devices(), reserved);
        return DevicesInZones.select(
                room, state.size().fixed(), reserved, request.gpus(), ZoneRequest.of(request.fixed()));
    }

    private static CommandOutcome<HoldReply> fitted(
            NodeState state, Optional<Reservation> known, Reservation held, LedgerCommand.Hold command, Instant now) {
        var before = known.map(reservation -> reservation.amounts().charge()).orElse(Resources.NONE);
        var charge = held.amounts().charge();
        var wanted = state.sums().reserved().minus(before).plus(charge);
        var fixed = held.taken().minus(known.map(Reservation::taken).orElse(FixedAmounts.NONE));
        var total = state.size().total();
        boolean grows = known.isEmpty() || charge.exceeds(before) || !fixed.isNone();
        if (grows && state.size().notReady().isPresent()) {
            return CommandOutcome.of(state, new HoldReply.NodeNotReady());
        }
        var shortOf = fixed.shortOn(state.size().fixed(), state.sums().fixed());
        if (grows && (wanted.exceeds(total) || !shortOf.isNone())) {
            return CommandOutcome.of(
                    state,
                    new HoldReply.NoRoom(wanted.minus(total), state.sums().reserved(), total, shortOf));
        }
        var denied = grows ? keptFrom(state, held, command.priority(), charge.minus(before), fixed, now) : NOTHING_KEPT;
        if (denied.isPresent()) {
            return CommandOutcome.of(state, new HoldReply.RoomKept(denied.get().pod()));
        }
        var reply = stands(state, held, ZoneRequest.of(command.reservation().fixed()), now);
        return CommandOutcome.of(state.with(held), reply);
    }

    /**
     * The room of another pod that a hold would take. A migration yields to every pod for which room is kept: its VM
     * runs, and other nodes can take it.
     */
    private static Optional<KeptRoom> keptFrom(
            NodeState state, Reservation held, int priority, Resources takes, FixedAmounts takesFixed, Instant now) {
        var pod = held.pod();
        return state.claim()
                .filter(claim -> !claim.hasEnded(now))
                .map(RoomClaim::room)
                .filter(room -> HoldRoom.isForMigration(pod.id()) || priority <= room.upTo())
                .filter(room -> !room.isFor(pod.id(), pod.namespace(), pod.name())
                        && !room.isForAttempt(held.status().heldFor()))
                .filter(room -> room.isTouched(
                        takes,
                        takesFixed,
                        state.remaining().minus(takes),
                        state.size().fixed().minus(state.sums().fixed()).minus(takesFixed)));
    }

    /** Keeps room, unless room is kept for another pod of the same or a higher priority. */
    static CommandOutcome<KeepReply> keep(NodeState state, KeepRoom request, Instant now) {
        var room = request.room();
        var kept = state.claim().filter(claim -> !claim.hasEnded(now));
        var own = kept.filter(claim -> claim.isOf(room.uid()));
        boolean over = state.reservations().find(room.uid()).isPresent()
                || state.gone().hold(room.uid());
        if (request.ttl().isZero() || over) {
            return CommandOutcome.of(own.isPresent() ? state.claiming(Optional.empty()) : state, new KeepReply.Ended());
        }
        if (state.notReady().isPresent()) {
            return CommandOutcome.of(
                    state, new KeepReply.NotReady(state.notReady().get()));
        }
        if (own.isEmpty()
                && kept.filter(claim -> claim.room().upTo() >= room.upTo()).isPresent()) {
            return CommandOutcome.of(
                    state, new KeepReply.OfAnother(kept.get().room().pod()));
        }
        var fixed = state.size().counted(room.fixed());
        if (room.charge().exceeds(state.size().total())
                || fixed.exceeds(state.size().fixed())) {
            return CommandOutcome.of(state, new KeepReply.TooLarge());
        }
        var counted = new KeptRoom(room.node(), room.uid(), room.pod(), room.charge(), fixed, room.upTo());
        var claim = RoomClaim.of(counted, request.ttl(), own, now);
        return CommandOutcome.of(
                state.claiming(Optional.of(claim)), new KeepReply.Kept(Duration.between(now, claim.until())));
    }

    /**
     * Makes or renews a hold. A repeat never shortens it, and the observed use of its VM is not replaced by the
     * request.
     */
    private static Reservation held(
            NodeState state, LedgerCommand.Hold command, Optional<Reservation> known, Instant now) {
        var wanted = command.reservation()
                .with(state.size().counted(command.reservation().fixed()));
        var until = now.plus(bounded(command.ttl()));
        if (known.isEmpty()) {
            return reservation(wanted, ReservationStatus.holding(until, command.attempt()), now);
        }
        var before = known.get();
        var later = before.status().heldUntil().filter(until::isBefore).orElse(until);
        var longer = before.with(before.status().heldTo(later));
        return before.observations().vm().isPresent() ? longer : longer.reservedAs(wanted);
    }

    private static Duration bounded(Duration ttl) {
        boolean longer = ttl.compareTo(STANDS_AT_MOST) > 0 && !ttl.equals(HoldRoom.UNTIL_RELEASED);
        return longer ? STANDS_AT_MOST : ttl;
    }

    private static HoldReply stands(NodeState state, Reservation held, ZoneRequest aligned, Instant now) {
        var node = state.size().devices();
        var gpus = new GpuGrant(node.mode(), held.shares(), ZoneFit.zones(node.zones(), held.fixed(), aligned));
        return held.status()
                .heldUntil()
                .<HoldReply>map(until -> new HoldReply.Held(Duration.between(now, until), gpus))
                .orElseGet(HoldReply.Bound::new);
    }

    static CommandOutcome<HoldReply> bind(NodeState state, NewReservation reservation, Instant now) {
        var id = reservation.pod().id();
        if (isTakenOver(state, id, AttemptId.NONE)
                || state.reservations().find(id).isPresent()) {
            return confirm(state, id, now);
        }
        if (state.gone().hold(id)) {
            return CommandOutcome.of(state, new HoldReply.Gone());
        }
        return CommandOutcome.of(
                state.with(reservation(
                        reservation.with(ZoneRules.counted(state, reservation.fixed())),
                        ReservationStatus.bound(true, MigrationArrival.NONE),
                        now)),
                new HoldReply.Bound());
    }

    /**
     * Confirms a hold. Room held for a migration is bound only by the target's pod, since nothing else would free it.
     */
    static CommandOutcome<HoldReply> confirm(NodeState state, String id, Instant now) {
        if (isTakenOver(state, id, AttemptId.NONE)) {
            return CommandOutcome.of(state, new HoldReply.Bound());
        }
        var known = state.reservations().find(id);
        if (known.isEmpty()) {
            return CommandOutcome.of(state, new HoldReply.NoSuchHold());
        }
        var reservation = known.get();
        if (HoldRoom.isForMigration(id) || !reservation.status().held()) {
            return CommandOutcome.of(state, stands(state, reservation, ZoneRequest.NONE, now));
        }
        return CommandOutcome.of(
                state.with(reservation.with(reservation.status().bound())), new HoldReply.Bound());
    }

    /** Frees the room if it is held for this attempt. The attempt is recorded as ended in any case. */
    static CommandOutcome<HoldReply> release(NodeState state, LedgerCommand.Release command, Instant now) {
        var id = command.pod();
        var known = state.reservations().find(id);
        var ended = state.with(state.gone().ending(command.attempt(), now));
        if (isTakenOver(state, id, command.attempt())
                || known.filter(reservation -> !reservation.status().held()).isPresent()) {
            return CommandOutcome.of(ended, new HoldReply.Bound());
        }
        boolean own = known.filter(reservation -> reservation.status().heldFor().equals(command.attempt()))
                .isPresent();
        return CommandOutcome.of(own ? ended.without(id) : ended, new HoldReply.Released());
    }

    /** Whether a migration's target has taken over the room under this name, or made it unnecessary. */
    static boolean isTakenOver(NodeState state, String holder, String attempt) {
        if (!HoldRoom.isForMigration(holder)) {
            return false;
        }
        for (var reservation : state.reservations()) {
            if (reservation.status().arrival().tookOver(holder, attempt)) {
                return true;
            }
        }
        return false;
    }

    private static Reservation reservation(NewReservation reservation, ReservationStatus status, Instant now) {
        return new Reservation(
                reservation.pod(),
                reservation.used(),
                ReservationLimits.fixed(reservation.amounts()),
                AgentSession.NONE,
                status,
                new Observations(Optional.empty(), Optional.empty(), now, false, Resources.NONE),
                reservation.fixed());
    }
}
