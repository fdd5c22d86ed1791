package io.sluice.ledger.core;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.messages.cluster.PodSeen;
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
        var hold = state.members().find(arrival.holder());
        var rest = state.without(arrival.holder());
        if (known.isPresent()) {
            return followed(rest, known.get(), hold, pod, arrival);
        }
        if (hold.isPresent()) {
            return Outcome.of(rest.with(heldFor(hold.get(), pod, arrival, now)), FactReply.TAKEN);
        }
        return unheld(rest, pod, arrival, rules, now);
    }

    /**
     * The first that is heard of a target may be that its migration is over: then its VM tells what was held for it.
     */
    static Outcome<FactReply> landedUnnamed(NodeState state, Member hold, PodSeen pod, Instant now) {
        var target = heldFor(hold, pod, new Arrival(hold.id(), false), now);
        return Outcome.of(state.without(hold.id()).with(target), FactReply.TAKEN);
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
        return landed(pod, hold.amounts().raisedTo(pod.amounts()), Standing.bound(true, arrival), now);
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
        var bound = PodFacts.described(member, pod)
                .with(member.standing().arrived(arrival).bound());
        if (!arrival.underWay()) {
            return Force.raised(rest, member, bound, PodFacts.news(member, pod));
        }
        var room =
                hold.map(held -> held.amounts().reserved().max(pod.amounts())).orElse(pod.amounts());
        return Force.raised(rest, member, bound, room);
    }
}
