package io.sluice.ledger.core;

import io.sluice.ledger.core.state.AgentSession;
import io.sluice.ledger.core.state.MigrationArrival;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Observations;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.ReservationAmounts;
import io.sluice.ledger.core.state.ReservationLimits;
import io.sluice.ledger.core.state.ReservationStatus;
import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldRoom;
import java.time.Instant;
import java.util.Optional;

/**
 * Observations of the target pods of migrations. Such a pod counts before its VM runs in it. No later observation of
 * the pod itself lowers it, because after the migration the pod's annotations show a size that lags behind.
 */
final class MigrationArrivalRules {
    private MigrationArrivalRules() {}

    /** Applies an observation of a target. The pod takes over the room held for the migration in the same step. */
    static CommandOutcome<ObservationReply> observed(
            NodeState state, Optional<Reservation> known, PodObserved pod, LedgerRules rules, Instant now) {
        boolean underWay = known.filter(
                        reservation -> reservation.observations().vm().isPresent())
                .isEmpty();
        var arrival = MigrationArrival.by(pod.namespace(), pod.migration(), underWay);
        var hold = state.reservations().find(arrival.holder()).filter(room -> isFor(room, known));
        var rest = hold.map(room -> takenOver(state, room, now)).orElse(state);
        if (known.isPresent()) {
            return followed(rest, known.get(), hold, pod, arrival);
        }
        if (hold.isPresent()) {
            return CommandOutcome.of(rest.with(heldFor(rest, hold.get(), pod, arrival, now)), ObservationReply.TAKEN);
        }
        return unheld(rest, pod, arrival, rules, now);
    }

    /** Whether the hold is for this target. One that took over the room of one attempt takes no room of a later one. */
    private static boolean isFor(Reservation room, Optional<Reservation> known) {
        var before = known.map(reservation -> reservation.status().arrival()).orElse(MigrationArrival.NONE);
        return !before.holder().equals(room.id())
                || before.tookOver(room.id(), room.status().heldFor());
    }

    /** Removes the hold and ends its attempt, so that it is not held again, also after the target has gone. */
    private static NodeState takenOver(NodeState state, Reservation room, Instant now) {
        return state.without(room.id()).with(state.gone().ending(room.status().heldFor(), now));
    }

    /**
     * The first observation of a target may show that its migration is over. The VM's name then identifies the hold.
     */
    static CommandOutcome<ObservationReply> landedUnnamed(
            NodeState state, Reservation hold, PodObserved pod, Instant now) {
        var target = heldFor(state, hold, pod, new MigrationArrival(hold.id(), AttemptId.NONE, false), now);
        return CommandOutcome.of(takenOver(state, hold, now).with(target), ObservationReply.TAKEN);
    }

    /** The room that is held for a migration of the VM in this pod. */
    static Optional<Reservation> roomOfItsVm(NodeState state, PodObserved pod) {
        if (pod.runsVm()) {
            for (var reservation : state.reservations()) {
                if (reservation.status().held()
                        && HoldRoom.isForMigration(reservation.id())
                        && reservation.pod().vmName().equals(pod.vmName())
                        && reservation.pod().namespace().equals(pod.namespace())) {
                    return Optional.of(reservation);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Applies a repeated observation. It may carry larger amounts than before: they were read at the source, and are
     * read again after the source's ledger state was lost.
     */
    static CommandOutcome<ObservationReply> repeated(NodeState state, Reservation reservation, PodObserved pod) {
        boolean readAnew = pod.migrationTarget()
                && reservation.status().arrival().underWay()
                && reservation.observations().repeatsPod(pod.version())
                && pod.amounts().exceeds(reservation.amounts().reserved());
        return readAnew
                ? CommandOutcome.of(
                        state.with(reservation.with(reservation.amounts().raisedTo(pod.amounts()))),
                        ObservationReply.TAKEN)
                : CommandOutcome.of(state, ObservationReply.KNOWN);
    }

    private static Reservation heldFor(
            NodeState state, Reservation hold, PodObserved pod, MigrationArrival arrival, Instant now) {
        var status = ReservationStatus.bound(true, arrival.of(hold.status().heldFor()));
        return landed(state, pod, hold.amounts().raisedTo(pod.amounts()), status, now);
    }

    private static CommandOutcome<ObservationReply> unheld(
            NodeState state, PodObserved pod, MigrationArrival arrival, LedgerRules rules, Instant now) {
        var status = ReservationStatus.bound(ExpiryRules.lostPermitsAreOver(state, rules, now), arrival);
        var target = landed(state, pod, ReservationAmounts.used(pod.amounts(), Overcommit.OFF), status, now);
        var outcome = CommandOutcome.of(state.with(target), ObservationReply.TAKEN);
        return state.fullList().complete()
                ? outcome.noting(new LedgerNotice.LandedUnheld(target.pod(), pod.amounts()))
                : outcome;
    }

    private static Reservation landed(
            NodeState state, PodObserved pod, ReservationAmounts amounts, ReservationStatus status, Instant now) {
        return new Reservation(
                PodObservationRules.identity(pod, pod.vmName()),
                amounts,
                ReservationLimits.fixed(amounts.reserved()),
                AgentSession.NONE,
                status,
                Observations.first(pod.version(), pod.amounts(), now),
                state.size().counted(pod.fixed()),
                PodObservationRules.shares(state, pod));
    }

    private static CommandOutcome<ObservationReply> followed(
            NodeState rest,
            Reservation reservation,
            Optional<Reservation> hold,
            PodObserved pod,
            MigrationArrival arrival) {
        var before = reservation.status().arrival();
        var attempt = hold.map(held -> held.status().heldFor())
                .orElse(before.holder().equals(arrival.holder()) ? before.attempt() : AttemptId.NONE);
        var bound = PodObservationRules.described(rest, reservation, pod)
                .with(reservation.status().arrived(arrival.of(attempt)).bound());
        if (!arrival.underWay()) {
            return ObservedUseRule.raised(rest, reservation, bound, PodObservationRules.news(reservation, pod));
        }
        var room =
                hold.map(held -> held.amounts().reserved().max(pod.amounts())).orElse(pod.amounts());
        return ObservedUseRule.raised(rest, reservation, bound, room);
    }
}
