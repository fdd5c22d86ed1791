package io.sluice.ledger.core.nearest;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Observations;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.ReservationLimits;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.ledger.grant.GrantChange;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A copy of a node ledger's state, on which changes are tried.
 *
 * @param state the copy
 * @param requester the pod that requests a permit; empty for a hold
 * @param ledger what runs commands on it
 */
record TrialState(NodeState state, Optional<String> requester, NodeLedger ledger) {
    /** The reservation of the pod that requests. */
    Optional<Reservation> own() {
        return requester.flatMap(pod -> state.reservations().find(pod));
    }

    /** The copy with some changes. */
    TrialState with(List<GrantChange> changes) {
        var next = this;
        for (var change : changes) {
            next = next.with(change);
        }
        return next;
    }

    /** The copy with a change. */
    TrialState with(GrantChange change) {
        return new TrialState(changed(change), requester, ledger);
    }

    private NodeState changed(GrantChange change) {
        var size = state.size();
        var room = change.room();
        return switch (change.kind()) {
            case ROOM ->
                state.with(size.with(
                        size.total().plus(room),
                        size.watermark().plus(room),
                        size.fixed().plus(change.fixed())));
            case WATERMARK ->
                state.with(size.with(size.total(), size.watermark().plus(room), size.fixed()));
            case MAXIMUM -> own().map(own -> state.with(raised(own, change))).orElse(state);
            case NODE_READY -> state.with(size.with(Optional.empty()));
            case LEDGER_COMPLETE -> complete();
            case MIGRATION_ENDED -> own().map(own -> state.with(staying(own))).orElse(state);
            case CLAIM_ENDED -> state.claiming(Optional.empty());
            case HOLD_ENDED, VM_LEFT, VM_MOVED, POD_ENDED -> without(change.pod());
            // Rules of Kubernetes, which are in no ledger.
            case TAINT_TOLERATED, UNCORDONED, NODE_ALLOWED -> state;
        };
    }

    private NodeState without(String pod) {
        var gone = new LedgerCommand.LosePod(new PodGone(pod, state.node(), Long.MAX_VALUE));
        return ledger.apply(state, gone, Instant.EPOCH, 0).state();
    }

    private NodeState complete() {
        var list = state.fullList();
        return list.complete() ? state : state.with(NodeState.FullListState.taken(list.version(), list.loadedAt()));
    }

    private static Reservation raised(Reservation own, GrantChange change) {
        var limits = own.limits();
        return own.with(new ReservationLimits(
                limits.min(),
                limits.max().plus(change.room()),
                limits.unit(),
                limits.autoscaled(),
                limits.migratable(),
                limits.alwaysMigrate()));
    }

    private static Reservation staying(Reservation own) {
        var status = own.status();
        for (var mark : own.status().marks()) {
            status = status.withoutMark(mark.attempt());
        }
        var observed = own.observations();
        return own.with(status)
                .with(new Observations(observed.pod(), observed.vm(), observed.since(), false, observed.deferred()));
    }
}
