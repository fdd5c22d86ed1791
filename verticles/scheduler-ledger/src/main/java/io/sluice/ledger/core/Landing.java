package io.sluice.ledger.core;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodSeen;
import io.sluice.messages.ledger.AttemptId;
import io.sluice.messages.ledger.HoldRoom;
import java.time.Instant;
import java.util.Optional;

/**
 * Facts about the pods that migrations move VMs to. Such a pod counts before its VM runs in it, and no later fact about
 * the pod itself makes it count less: when the migration is over its own annotations show a size that lags behind.
 */
final class Landing {
    private Landing() {}

    /** The room that is held for the migration becomes the pod's in the same step. */
    static Outcome<FactReply> seen(
            NodeState state, Optional<Member> known, PodSeen pod, LedgerRules rules, Instant now) {
        boolean underWay =
                known.filter(member -> member.seen().vm().isPresent()).isEmpty();
        var arrival = Arrival.by(pod.namespace(), pod.migration(), underWay);
        var hold = state.members().find(arrival.holder()).filter(room -> isFor(room, known));
        var rest = hold.map(room -> takenOver(state, room, now)).orElse(state);
        if (known.isPresent()) {
            return followed(rest, known.get(), hold, pod, arrival);
        }
        if (hold.isPresent()) {
            return Outcome.of(rest.with(heldFor(hold.get(), pod, arrival, now)), FactReply.TAKEN);
        }
        return unheld(rest, pod, arrival, rules, now);
    }

    /** A target that took over the room of one attempt has nothing to do with that of a later one. */
    private static boolean isFor(Member room, Optional<Member> known) {
        var before = known.map(member -> member.standing().arrival()).orElse(Arrival.NONE);
        return !before.holder().equals(room.id())
                || before.tookOver(room.id(), room.standing().heldFor());
    }

    /** The attempt's room is its target's from now on: it is not held again, also once that has gone. */
    private static NodeState takenOver(NodeState state, Member room, Instant now) {
        return state.without(room.id()).with(state.gone().ending(room.standing().heldFor(), now));
    }

    /**
     * The first that is heard of a target may be that its migration is over: then its VM tells what was held for it.
     */
    static Outcome<FactReply> landedUnnamed(NodeState state, Member hold, PodSeen pod, Instant now) {
        var target = heldFor(hold, pod, new Arrival(hold.id(), AttemptId.NONE, false), now);
        return Outcome.of(takenOver(state, hold, now).with(target), FactReply.TAKEN);
    }

    /** The room that is held for a migration of the VM in this pod. */
    static Optional<Member> roomOfItsVm(NodeState state, PodSeen pod) {
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
    static Outcome<FactReply> repeated(NodeState state, Member member, PodSeen pod) {
        boolean readAnew = pod.migrationTarget()
                && member.standing().arrival().underWay()
                && member.seen().repeatsPod(pod.version())
                && pod.amounts().exceeds(member.amounts().reserved());
        return readAnew
                ? Outcome.of(state.with(member.with(member.amounts().raisedTo(pod.amounts()))), FactReply.TAKEN)
                : Outcome.of(state, FactReply.KNOWN);
    }

    private static Member heldFor(Member hold, PodSeen pod, Arrival arrival, Instant now) {
        var standing = Standing.bound(true, arrival.of(hold.standing().heldFor()));
        return landed(pod, hold.amounts().raisedTo(pod.amounts()), standing, now);
    }

    private static Outcome<FactReply> unheld(
            NodeState state, PodSeen pod, Arrival arrival, LedgerRules rules, Instant now) {
        var standing = Standing.bound(Passing.lostPermitsAreOver(state, rules, now), arrival);
        var target = landed(pod, Amounts.used(pod.amounts(), Overcommit.OFF), standing, now);
        var outcome = Outcome.of(state.with(target), FactReply.TAKEN);
        return state.listing().complete()
                ? outcome.noting(new LedgerNotice.LandedUnheld(target.who(), pod.amounts()))
                : outcome;
    }

    private static Member landed(PodSeen pod, Amounts amounts, Standing standing, Instant now) {
        return new Member(
                PodFacts.identity(pod, pod.vmName()),
                amounts,
                Limits.fixed(amounts.reserved()),
                Talk.NONE,
                standing,
                Seen.first(pod.version(), pod.amounts(), now));
    }

    private static Outcome<FactReply> followed(
            NodeState rest, Member member, Optional<Member> hold, PodSeen pod, Arrival arrival) {
        var before = member.standing().arrival();
        var attempt = hold.map(held -> held.standing().heldFor())
                .orElse(before.holder().equals(arrival.holder()) ? before.attempt() : AttemptId.NONE);
        var bound = PodFacts.described(member, pod)
                .with(member.standing().arrived(arrival.of(attempt)).bound());
        if (!arrival.underWay()) {
            return Force.raised(rest, member, bound, PodFacts.news(member, pod));
        }
        var room =
                hold.map(held -> held.amounts().reserved().max(pod.amounts())).orElse(pod.amounts());
        return Force.raised(rest, member, bound, room);
    }
}
