package io.sluice.ledger.core;

import io.sluice.ledger.core.state.Contact;
import io.sluice.ledger.core.state.LedgerView;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Observations;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.ReservationAmounts;
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

/** Applies full lists, and reclaims the reservations that were made at the maximum. */
final class FullListRules {
    private FullListRules() {}

    static CommandOutcome<LoadReply> load(NodeState state, LoadNode fullList, LedgerRules rules, Instant now) {
        boolean newEpoch = state.fullList().complete()
                && fullList.version() < state.fullList().version();
        boolean fresh = newEpoch || !state.fullList().complete();
        var needed = state.fullList().relist();
        if (fresh && !fullList.relist().equals(needed)) {
            return CommandOutcome.of(state, counted(state).relist(needed.orElseThrow()));
        }
        var notices = new ArrayList<LedgerNotice>();
        var next = newEpoch ? epoch(state) : state;
        next = NodeObservationRules.observed(next, fullList.node(), rules, now).state();
        for (var pod : fullList.pods()) {
            next = collect(PodObservationRules.observed(next, pod, rules, now), notices);
        }
        for (var vm : fullList.vms()) {
            next = collect(VmObservationRules.observed(next, vm, rules), notices);
        }
        // After a store restore all earlier reservations count as bound; only the next list shows which pods are gone.
        next = newEpoch ? next : withoutUnlisted(next, fullList);
        var loadedAt = fresh ? Optional.of(now) : state.fullList().loadedAt();
        next = next.with(next.gone().after(fullList.version()))
                .with(NodeState.FullListState.taken(fullList.version(), loadedAt));
        var reply = counted(next);
        if (fresh) {
            notices.add(new LedgerNotice.NodeCompleted(reply.reservations(), reply.unsettled()));
        }
        return new CommandOutcome<>(next, reply, notices);
    }

    private static NodeState collect(CommandOutcome<ObservationReply> outcome, List<LedgerNotice> notices) {
        notices.addAll(outcome.notices());
        return outcome.state();
    }

    /**
     * Starts the node ledger again after the API server's store was restored: versions from before do not compare. All
     * sessions end, as after a loss of state, because the reservations no longer match the permits that agents have.
     */
    private static NodeState epoch(NodeState state) {
        var next = state.with(NodeState.FullListState.NONE)
                .with(state.gone().inNewEpoch())
                .with(new NodeState.Size(
                        Optional.empty(),
                        state.size().total(),
                        state.size().watermark(),
                        Optional.empty(),
                        state.size().notReady(),
                        state.size().fixed(),
                        state.size().devices()));
        for (var reservation : state.reservations()) {
            next = next.with(reservation
                    .with(reservation.observations().inNewEpoch())
                    .with(reservation.session().ended()));
        }
        return next;
    }

    /**
     * Removes reservations that the list lacks. One that was never observed stays: its pod may be newer than the list.
     */
    private static NodeState withoutUnlisted(NodeState state, LoadNode fullList) {
        Set<String> listed = new HashSet<>();
        fullList.pods().forEach(pod -> listed.add(pod.uid()));
        var next = state;
        for (var reservation : state.reservations()) {
            if (!listed.contains(reservation.id()) && reservation.observations().coveredBy(fullList.version())) {
                next = next.without(reservation.id());
            }
        }
        return next;
    }

    static LoadReply counted(NodeState state) {
        return new LoadReply(state.reservations().size(), LedgerView.unsettled(state));
    }

    static CommandOutcome<ReclaimReply> reclaim(NodeState state, Reclaim read, LedgerRules rules, Instant now) {
        var found = state.reservations().find(read.pod());
        if (found.isEmpty()) {
            return CommandOutcome.of(state, new ReclaimReply.NotRecovered());
        }
        var reservation = found.get();
        return switch (reservation.status().contact()) {
            case RECLAIMED, REQUESTED, EXPOSED -> CommandOutcome.of(state, new ReclaimReply.NotRecovered());
            case RECOVERED ->
                reclaim(
                        state,
                        reservation,
                        read,
                        state.fullList().loadedAt().orElse(now),
                        Contact.RECLAIMED,
                        rules,
                        now);
            case FOUND ->
                reclaim(state, reservation, read, reservation.observations().since(), Contact.REQUESTED, rules, now);
            case SWITCHED_OFF ->
                reclaim(
                        state,
                        reservation,
                        read,
                        reservation.session().requestedAt().orElse(Instant.MIN),
                        Contact.REQUESTED,
                        rules,
                        now);
        };
    }

    private static CommandOutcome<ReclaimReply> reclaim(
            NodeState state,
            Reservation reservation,
            Reclaim read,
            Instant since,
            Contact after,
            LedgerRules rules,
            Instant now) {
        boolean isOfLastSession = read.session() == Reclaim.ANY_SESSION
                || read.session() == reservation.session().session();
        if (!isOfLastSession) {
            return CommandOutcome.of(state, new ReclaimReply.TooEarly(Sessions.RETRY_AFTER));
        }
        var kept = reservation.session().keptSince();
        var over = kept.map(from -> from.plus(ExpiryRules.growthOver(rules)))
                .orElseGet(() -> since.plus(rules.permitsOver()));
        if (now.isBefore(over)) {
            return CommandOutcome.of(state, new ReclaimReply.TooEarly(Duration.between(now, over)));
        }
        var observed =
                reservation.observations().vm().map(Observations.Kind::amounts).orElse(Resources.NONE);
        // Such an agent continues to use its permit: it has no fence and ignores that permits lapse.
        boolean goesOn = kept.isPresent() || reservation.session().isBlind();
        var permitted = goesOn ? reservation.amounts().reported() : Resources.NONE;
        var use = read.amounts().max(observed).max(permitted);
        var settled = reservation
                .with(ReservationAmounts.used(use, reservation.amounts().overcommit()))
                .with(reservation
                        .status()
                        .as(kept.isPresent() || !reservation.limits().autoscaled() ? Contact.REQUESTED : after))
                .with(reservation.session().keeping(false, now));
        return CommandOutcome.of(state.with(settled), new ReclaimReply.Settled(use));
    }
}
