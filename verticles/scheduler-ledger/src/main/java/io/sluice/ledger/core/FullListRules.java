package io.sluice.ledger.core;

import io.sluice.messages.ledger.LoadNode;
import io.sluice.messages.ledger.LoadReply;
import io.sluice.messages.ledger.Reclaim;
import io.sluice.messages.ledger.ReclaimReply;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** How books that started empty come to know their members, and how those come down from their maximum. */
final class FullListRules {
    private FullListRules() {}

    static CommandOutcome<LoadReply> load(NodeState state, LoadNode listing, LedgerRules rules, Instant now) {
        boolean newEpoch = state.listing().complete()
                && listing.version() < state.listing().version();
        boolean fresh = newEpoch || !state.listing().complete();
        var needed = state.listing().relist();
        if (fresh && !listing.relist().equals(needed)) {
            return CommandOutcome.of(state, counted(state).relist(needed.orElseThrow()));
        }
        var notices = new ArrayList<LedgerNotice>();
        var next = newEpoch ? epoch(state) : state;
        next = NodeObservationRules.seen(next, listing.node(), rules, now).state();
        for (var pod : listing.pods()) {
            next = collect(PodObservationRules.seen(next, pod, rules, now), notices);
        }
        for (var vm : listing.vms()) {
            next = collect(VmObservationRules.seen(next, vm, rules), notices);
        }
        // What the store of before held is bound for all that is known: the next listing tells who left.
        next = newEpoch ? next : withoutUnlisted(next, listing);
        var loadedAt = fresh ? Optional.of(now) : state.listing().loadedAt();
        next = next.with(next.gone().after(listing.version()))
                .with(NodeState.FullListState.taken(listing.version(), loadedAt));
        var reply = counted(next);
        if (fresh) {
            notices.add(new LedgerNotice.NodeCompleted(reply.members(), reply.unsettled()));
        }
        return new CommandOutcome<>(next, reply, notices);
    }

    private static NodeState collect(CommandOutcome<ObservationReply> outcome, List<LedgerNotice> notices) {
        notices.addAll(outcome.notices());
        return outcome.state();
    }

    /**
     * The cluster's own store was put back: no version compares with one of before. All sessions end, as if the books
     * were lost: whoever asks must know that what is booked for his VM is not what he was told.
     */
    private static NodeState epoch(NodeState state) {
        var next = state.with(NodeState.FullListState.NONE)
                .with(state.gone().inNewEpoch())
                .with(new NodeState.Size(
                        Optional.empty(),
                        state.size().total(),
                        state.size().watermark(),
                        Optional.empty(),
                        state.size().notReady()));
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
        return new LoadReply(state.members().size(), LedgerView.unsettled(state));
    }

    static CommandOutcome<ReclaimReply> settle(NodeState state, Reclaim read, LedgerRules rules, Instant now) {
        var found = state.members().find(read.member());
        if (found.isEmpty()) {
            return CommandOutcome.of(state, new ReclaimReply.NotRecovered());
        }
        var member = found.get();
        return switch (member.standing().contact()) {
            case SETTLED, HEARD, EXPOSED -> CommandOutcome.of(state, new ReclaimReply.NotRecovered());
            case RECOVERED ->
                settle(state, member, read, state.listing().loadedAt().orElse(now), Contact.SETTLED, rules, now);
            case FOUND -> settle(state, member, read, member.seen().since(), Contact.HEARD, rules, now);
            case SWITCHED_OFF ->
                settle(state, member, read, member.talk().askedAt().orElse(Instant.MIN), Contact.HEARD, rules, now);
        };
    }

    private static CommandOutcome<ReclaimReply> settle(
            NodeState state,
            Reservation member,
            Reclaim read,
            Instant since,
            Contact after,
            LedgerRules rules,
            Instant now) {
        var kept = member.talk().keptSince();
        var over = kept.map(from -> from.plus(ExpiryRules.growthOver(rules)))
                .orElseGet(() -> since.plus(rules.permitsOver()));
        if (now.isBefore(over)) {
            return CommandOutcome.of(state, new ReclaimReply.TooEarly(Duration.between(now, over)));
        }
        var seen = member.seen().vm().map(Observations.Kind::amounts).orElse(Resources.NONE);
        // An agent that reports no exposure goes on with its permit: it knows of no fence and of no lapse.
        boolean goesOn = kept.isPresent() || member.talk().isBlind();
        var permitted = goesOn ? member.amounts().told() : Resources.NONE;
        var use = read.amounts().max(seen).max(permitted);
        var settled = member.with(ReservationAmounts.used(use, member.amounts().overcommit()))
                .with(member.standing().as(kept.isPresent() || !member.limits().autoscaled() ? Contact.HEARD : after))
                .with(member.talk().keeping(false, now));
        return CommandOutcome.of(state.with(settled), new ReclaimReply.Settled(use));
    }
}
