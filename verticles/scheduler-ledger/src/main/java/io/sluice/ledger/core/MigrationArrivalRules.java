package io.sluice.ledger.core;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodObserved;
import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldRoom;
import java.time.Instant;
import java.util.Optional;

/**
 * Facts about the pods that migrations move VMs to. Such a pod counts before its VM runs in it, and no later fact about
 * the pod itself makes it count less: when the migration is over its own annotations show a size that lags behind.
 */
final class MigrationArrivalRules {
    private MigrationArrivalRules() {}

    /** The room that is held for the migration becomes the pod's in the same step. */
    static CommandOutcome<ObservationReply> seen(
            NodeState state, Optional<Reservation> known, PodObserved pod, LedgerRules rules, Instant now) {
        boolean underWay =
                known.filter(member -> member.seen().vm().isPresent()).isEmpty();
        var arrival = MigrationArrival.by(pod.namespace(), pod.migration(), underWay);
        var hold = state.members().find(arrival.holder()).filter(room -> isFor(room, known));
        var rest = hold.map(room -> takenOver(state, room, now)).orElse(state);
        if (known.isPresent()) {
            return followed(rest, known.get(), hold, pod, arrival);
        }
        if (hold.isPresent()) {
            return CommandOutcome.of(rest.with(heldFor(hold.get(), pod, arrival, now)), ObservationReply.TAKEN);
        }
        return unheld(rest, pod, arrival, rules, now);
    }

    /** A target that took over the room of one attempt has nothing to do with that of a later one. */
    private static boolean isFor(Reservation room, Optional<Reservation> known) {
        var before = known.map(member -> member.standing().arrival()).orElse(MigrationArrival.NONE);
        return !before.holder().equals(room.id())
                || before.tookOver(room.id(), room.standing().heldFor());
    }

    /** The attempt's room is its target's from now on: it is not held again, also once that has gone. */
    private static NodeState takenOver(NodeState state, Reservation room, Instant now) {
        return state.without(room.id()).with(state.gone().ending(room.standing().heldFor(), now));
    }

    /**
     * The first that is heard of a target may be that its migration is over: then its VM tells what was held for it.
     */
    static CommandOutcome<ObservationReply> landedUnnamed(
            NodeState state, Reservation hold, PodObserved pod, Instant now) {
        var target = heldFor(hold, pod, new MigrationArrival(hold.id(), AttemptId.NONE, false), now);
        return CommandOutcome.of(takenOver(state, hold, now).with(target), ObservationReply.TAKEN);
    }

    /** The room that is held for a migration of the VM in this pod. */
    static Optional<Reservation> roomOfItsVm(NodeState state, PodObserved pod) {
        if (pod.runsVm()) {
            for (var member : state.members()) {
                if (member.standing().held()
                        && HoldRoom.isForMigration(member.id())
                        && member.who().vmName().equals(pod.vmName())
                        && member.who().namespace().equals(pod.namespace())) {
                    return Optional.of(member);
                }
            }
        }
        return Optional.empty();
    }

    /**
     * A repeat may carry more than before: what a target counts at was read where its VM still is, and is read anew
     * after the books there were lost.
     */
    static CommandOutcome<ObservationReply> repeated(NodeState state, Reservation member, PodObserved pod) {
        boolean readAnew = pod.migrationTarget()
                && member.standing().arrival().underWay()
                && member.seen().repeatsPod(pod.version())
                && pod.amounts().exceeds(member.amounts().reserved());
        return readAnew
                ? CommandOutcome.of(
                        state.with(member.with(member.amounts().raisedTo(pod.amounts()))), ObservationReply.TAKEN)
                : CommandOutcome.of(state, ObservationReply.KNOWN);
    }

    private static Reservation heldFor(Reservation hold, PodObserved pod, MigrationArrival arrival, Instant now) {
        var standing = ReservationStatus.bound(true, arrival.of(hold.standing().heldFor()));
        return landed(pod, hold.amounts().raisedTo(pod.amounts()), standing, now);
    }

    private static CommandOutcome<ObservationReply> unheld(
            NodeState state, PodObserved pod, MigrationArrival arrival, LedgerRules rules, Instant now) {
        var standing = ReservationStatus.bound(ExpiryRules.lostPermitsAreOver(state, rules, now), arrival);
        var target = landed(pod, ReservationAmounts.used(pod.amounts(), Overcommit.OFF), standing, now);
        var outcome = CommandOutcome.of(state.with(target), ObservationReply.TAKEN);
        return state.listing().complete()
                ? outcome.noting(new LedgerNotice.LandedUnheld(target.who(), pod.amounts()))
                : outcome;
    }

    private static Reservation landed(
            PodObserved pod, ReservationAmounts amounts, ReservationStatus standing, Instant now) {
        return new Reservation(
                PodObservationRules.identity(pod, pod.vmName()),
                amounts,
                ReservationLimits.fixed(amounts.reserved()),
                AgentSession.NONE,
                standing,
                Observations.first(pod.version(), pod.amounts(), now));
    }

    private static CommandOutcome<ObservationReply> followed(
            NodeState rest, Reservation member, Optional<Reservation> hold, PodObserved pod, MigrationArrival arrival) {
        var before = member.standing().arrival();
        var attempt = hold.map(held -> held.standing().heldFor())
                .orElse(before.holder().equals(arrival.holder()) ? before.attempt() : AttemptId.NONE);
        var bound = PodObservationRules.described(member, pod)
                .with(member.standing().arrived(arrival.of(attempt)).bound());
        if (!arrival.underWay()) {
            return ObservedUseRule.raised(rest, member, bound, PodObservationRules.news(member, pod));
        }
        var room =
                hold.map(held -> held.amounts().reserved().max(pod.amounts())).orElse(pod.amounts());
        return ObservedUseRule.raised(rest, member, bound, room);
    }
}
