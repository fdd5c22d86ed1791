package io.sluice.ledger.core.histories;

import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.NodeLedger;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Observations;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.ReservationLimits;
import io.sluice.messages.cluster.PodGone;
import io.sluice.messages.ledger.HoldReply;
import io.sluice.messages.ledger.UnmarkMigrating;
import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.messages.ledger.grant.GrantChange.Kind;
import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.ledger.permit.OpenReply;
import io.sluice.messages.ledger.permit.OpenSession;
import io.sluice.messages.ledger.permit.PermitReply;
import io.sluice.messages.ledger.permit.PermitRequest;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Checks what {@code NearestGrantSearch} has found, with changes and requests of its own: each change is applied and
 * the request is sent, and so is each change that is a little smaller.
 */
record GrantProof(NodeState state, LedgerRules rules, Instant now, GrantQuery query) {
    /** What is wrong with a reply; empty if nothing is. */
    List<String> objections(NearestGrant found) {
        var wrong = new ArrayList<String>();
        boolean now = isGranted(state);
        switch (found.sufficiency()) {
            case GRANTED -> objectIf(!now || !found.changes().isEmpty(), "it is not granted now", wrong);
            case NONE -> objectIf(now || !found.changes().isEmpty(), "it is granted now", wrong);
            case ANY -> {
                objectIf(now || found.changes().isEmpty(), "it is granted now", wrong);
                found.changes().forEach(change -> object(change, wrong));
            }
            case ALL -> {
                objectIf(found.changes().size() < 2, "one change is not several", wrong);
                objectIf(!isGranted(with(state, found.changes())), "all together do not help", wrong);
                for (var change : found.changes()) {
                    var others =
                            found.changes().stream().filter(it -> it != change).toList();
                    objectIf(isGranted(with(state, others)), "it needs no " + change, wrong);
                }
            }
        }
        return wrong;
    }

    private static void objectIf(boolean wrong, String what, List<String> all) {
        if (wrong) {
            all.add(what);
        }
    }

    private void object(GrantChange change, List<String> wrong) {
        objectIf(!isGranted(with(state, List.of(change))), "it does not help: " + change, wrong);
        for (var less : smaller(change)) {
            objectIf(isGranted(with(state, List.of(less))), less + " is enough, and not " + change, wrong);
        }
    }

    /** Changes of the same kind that are smaller by one step. */
    private List<GrantChange> smaller(GrantChange change) {
        var all = new ArrayList<GrantChange>();
        switch (change.kind()) {
            case ROOM, WATERMARK, MAXIMUM -> {
                var room = change.room();
                if (room.milliCpu() > 0) {
                    all.add(less(change, new Resources(room.milliCpu() - 1, room.memoryBytes()), change.fixed()));
                }
                if (room.memoryBytes() > 0) {
                    all.add(less(change, new Resources(room.milliCpu(), room.memoryBytes() - 1), change.fixed()));
                }
                change.fixed()
                        .byKind()
                        .keySet()
                        .forEach(kind ->
                                all.add(less(change, room, change.fixed().minus(FixedAmounts.of(Map.of(kind, 1L))))));
            }
            case HOLD_ENDED, VM_LEFT, VM_MOVED, POD_ENDED ->
                state.reservations().all().stream()
                        .filter(other -> !other.id().equals(requester()) && kind(other) == change.kind())
                        .filter(other -> isSmaller(other.amounts().charge(), change.room()))
                        .forEach(other -> all.add(
                                new GrantChange(change.kind(), "", Resources.NONE, FixedAmounts.NONE, other.id(), "")));
            default -> {
                // Nothing is smaller.
            }
        }
        return all;
    }

    private static boolean isSmaller(Resources one, Resources other) {
        return !one.exceeds(other) && !one.equals(other);
    }

    private static GrantChange less(GrantChange change, Resources room, FixedAmounts fixed) {
        return new GrantChange(change.kind(), change.node(), room, fixed, change.pod(), change.subject());
    }

    private String requester() {
        return switch (query) {
            case GrantQuery.OfPermit permit -> permit.pod();
            case GrantQuery.OfHold hold -> hold.hold().holder();
        };
    }

    private static Kind kind(Reservation other) {
        if (other.status().held()) {
            return Kind.HOLD_ENDED;
        }
        if (other.pod().runsVm() && other.migrates()) {
            return Kind.VM_LEFT;
        }
        boolean movable = other.limits().migratable() || other.limits().alwaysMigrate();
        return other.pod().runsVm() && movable ? Kind.VM_MOVED : Kind.POD_ENDED;
    }

    private NodeState with(NodeState from, List<GrantChange> changes) {
        var next = from;
        for (var change : changes) {
            next = with(next, change);
        }
        return next;
    }

    private NodeState with(NodeState from, GrantChange change) {
        var requested = from.reservations().find(requester());
        return switch (change.kind()) {
            case ROOM ->
                sized(
                        from,
                        change.room(),
                        change.room(),
                        change.fixed(),
                        from.size().notReady());
            case WATERMARK ->
                sized(
                        from,
                        Resources.NONE,
                        change.room(),
                        FixedAmounts.NONE,
                        from.size().notReady());
            case NODE_READY -> sized(from, Resources.NONE, Resources.NONE, FixedAmounts.NONE, Optional.empty());
            case LEDGER_COMPLETE ->
                from.with(new NodeState.FullListState(
                        true, from.fullList().version(), from.fullList().loadedAt(), Optional.empty()));
            case CLAIM_ENDED -> from.claiming(Optional.empty());
            case MIGRATION_ENDED -> staying(from, requested.orElseThrow());
            case MAXIMUM -> from.with(raised(requested.orElseThrow(), change.room()));
            case HOLD_ENDED, VM_LEFT, VM_MOVED, POD_ENDED ->
                run(from, new LedgerCommand.LosePod(new PodGone(change.pod(), from.node(), Long.MAX_VALUE)));
            case TAINT_TOLERATED, UNCORDONED, NODE_ALLOWED ->
                throw new AssertionError("no change of a ledger: " + change);
        };
    }

    private static NodeState sized(
            NodeState from,
            Resources total,
            Resources watermark,
            FixedAmounts fixed,
            Optional<NodeState.NotReady> ready) {
        var size = from.size();
        return from.with(new NodeState.Size(
                size.version(),
                size.total().plus(total),
                size.watermark().plus(watermark),
                size.goneAt(),
                ready,
                size.fixed().plus(fixed),
                size.devices()));
    }

    private NodeState staying(NodeState from, Reservation own) {
        var next = from;
        for (var mark : own.status().marks()) {
            next = run(next, new LedgerCommand.Unmark(new UnmarkMigrating(from.node(), own.id(), mark.attempt())));
        }
        var unmarked = next.reservations().find(own.id()).orElseThrow();
        var observed = unmarked.observations();
        return next.with(unmarked.with(
                new Observations(observed.pod(), observed.vm(), observed.since(), false, observed.deferred())));
    }

    private static Reservation raised(Reservation own, Resources by) {
        var limits = own.limits();
        return own.with(new ReservationLimits(
                limits.min(),
                limits.max().plus(by),
                limits.unit(),
                limits.autoscaled(),
                limits.migratable(),
                limits.alwaysMigrate()));
    }

    private NodeState run(NodeState from, LedgerCommand<?> command) {
        return new NodeLedger(rules).apply(from, command, now, 0).state();
    }

    private boolean isGranted(NodeState from) {
        return switch (query) {
            case GrantQuery.OfPermit permit -> isPermitted(from, permit);
            case GrantQuery.OfHold(var hold, var belowWatermark) -> {
                var outcome = new NodeLedger(rules).apply(from, new LedgerCommand.Hold(hold), now, 0);
                boolean held = outcome.reply() instanceof HoldReply.Held || outcome.reply() instanceof HoldReply.Bound;
                yield held && (!belowWatermark || !grows(from, outcome.state()) || isBelowWatermark(outcome.state()));
            }
        };
    }

    /** A repeat that needs no more, and a pod that is there already, are granted wherever the watermark is. */
    private static boolean grows(NodeState before, NodeState after) {
        return after.reservations().size() > before.reservations().size()
                || after.sums().reserved().exceeds(before.sums().reserved());
    }

    private static boolean isBelowWatermark(NodeState state) {
        var reserved = state.sums().reserved();
        var watermark = state.size().watermark();
        return reserved.milliCpu() < watermark.milliCpu() && reserved.memoryBytes() < watermark.memoryBytes();
    }

    private boolean isPermitted(NodeState from, GrantQuery.OfPermit permit) {
        var found = from.reservations().find(permit.pod());
        if (found.isEmpty()) {
            return false;
        }
        var target =
                permit.target().equals(Resources.NONE) ? found.get().amounts().requested() : permit.target();
        var opened = found.get().session().isOpen() ? Optional.of(from) : open(from, permit.pod());
        return opened.filter(state -> isPermitted(state, permit.pod(), target)).isPresent();
    }

    private Optional<NodeState> open(NodeState from, String pod) {
        var open = new LedgerCommand.Open(new OpenSession(from.node(), pod, "a-new-runner", Long.MAX_VALUE / 2));
        var outcome = new NodeLedger(rules).apply(from, open, now, 0);
        return Optional.of(outcome.state()).filter(state -> outcome.reply() instanceof OpenReply.Opened);
    }

    private boolean isPermitted(NodeState from, String pod, Resources target) {
        var own = from.reservations().find(pod).orElseThrow();
        var session = own.session();
        var last = session.last();
        var request = new PermitRequest(
                from.node(),
                pod,
                session.runner(),
                session.session(),
                session.seq() + 1,
                last.map(taken -> taken.request().computeUnit())
                        .orElse(own.limits().unit()),
                target,
                last.map(taken -> taken.answer().permit()),
                Optional.empty(),
                last.flatMap(taken -> taken.request().use()));
        var reply = new NodeLedger(rules)
                .apply(from, new LedgerCommand.RequestPermit(request), now, 0)
                .reply();
        return reply instanceof PermitReply.Ruled ruled && ruled.permit().equals(target);
    }
}
