package io.sluice.ledger.core;

import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.Settle;
import io.sluice.messages.ledger.SettleReply;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How books that started empty come to know their members, and how those come down from their maximum. */
final class Loading {
    private Loading() {}

    static Outcome<LoadReply> load(NodeState state, LoadNode listing, LedgerRules rules, Instant now) {
        long known = state.listing().version();
        boolean older = state.listing().complete() && listing.version() < known;
        boolean newEpoch = older && listing.putBackFrom().equals(Optional.of(known));
        if (older && !newEpoch) {
            return Outcome.of(state, counted(state).behind(known));
        }
        boolean fresh = newEpoch || !state.listing().complete();
        var notices = new ArrayList<LedgerNotice>();
        var next = newEpoch ? epoch(state) : state;
        next = NodeFacts.seen(next, listing.node(), rules).state();
        for (var pod : listing.pods()) {
            next = collect(PodFacts.seen(next, pod, rules, now), notices);
        }
        for (var vm : listing.vms()) {
            next = collect(VmFacts.seen(next, vm, rules, now), notices);
        }
        // What the store of before held is bound for all that is known: the next listing tells who left.
        next = newEpoch ? next : withoutUnlisted(next, listing);
        var loadedAt = fresh ? Optional.of(now) : state.listing().loadedAt();
        next = next.with(next.gone().after(listing.version()))
                .with(new NodeState.Listing(true, listing.version(), loadedAt));
        var reply = counted(next);
        if (fresh) {
            notices.add(new LedgerNotice.NodeCompleted(reply.members(), reply.recovered()));
        }
        return new Outcome<>(next, reply, notices);
    }

    private static NodeState collect(Outcome<FactReply> outcome, List<LedgerNotice> notices) {
        notices.addAll(outcome.notices());
        return outcome.state();
    }

    /**
     * The cluster's own store was put back: no version compares with one of before. All sessions end, as if the books
     * were lost: whoever asks must know that what is booked for his VM is not what he was told.
     */
    private static NodeState epoch(NodeState state) {
        var next = state.with(NodeState.Listing.NONE)
                .with(Tombstones.NONE)
                .with(new NodeState.Size(
                        Optional.empty(), state.size().total(), state.size().watermark(), Optional.empty()));
        for (var member : state.members()) {
            next = next.with(
                    member.with(member.seen().inNewEpoch()).with(member.talk().ended()));
        }
        return next;
    }

    /** A member that came through us and was never seen may be younger than the listing: it stays. */
    private static NodeState withoutUnlisted(NodeState state, LoadNode listing) {
        Set<String> listed = new HashSet<>();
        listing.pods().forEach(pod -> listed.add(pod.uid()));
        var next = state;
        for (var member : state.members()) {
            if (!listed.contains(member.id()) && member.seen().coveredBy(listing.version())) {
                next = next.without(member.id());
            }
        }
        return next;
    }

    static LoadReply counted(NodeState state) {
        int recovered = 0;
        for (var member : state.members()) {
            recovered += member.standing().contact() == Contact.RECOVERED ? 1 : 0;
        }
        return new LoadReply(state.members().size(), recovered);
    }

    static Outcome<SettleReply> settle(NodeState state, Settle read, LedgerRules rules, Instant now) {
        var found = state.members().find(read.member());
        if (found.isEmpty()) {
            return Outcome.of(state, new SettleReply.NotRecovered());
        }
        var member = found.get();
        return switch (member.standing().contact()) {
            case SETTLED, HEARD -> Outcome.of(state, new SettleReply.NotRecovered());
            case RECOVERED -> settle(state, member, read, state.listing().loadedAt(), Contact.SETTLED, rules, now);
            case FOUND -> settle(state, member, read, Optional.of(member.seen().since()), Contact.HEARD, rules, now);
        };
    }

    private static Outcome<SettleReply> settle(
            NodeState state,
            Member member,
            Settle read,
            Optional<Instant> since,
            Contact after,
            LedgerRules rules,
            Instant now) {
        var over = since.orElse(now).plus(rules.permitsOver());
        if (now.isBefore(over)) {
            return Outcome.of(state, new SettleReply.TooEarly(Duration.between(now, over)));
        }
        var seen = member.seen().vm().map(Seen.Fact::amounts).orElse(Resources.NONE);
        var use = read.amounts().max(seen);
        var settled = member.with(Amounts.used(use, member.amounts().overcommit()))
                .with(member.standing().as(after));
        return Outcome.of(state.with(settled), new SettleReply.Settled(use));
    }
}
