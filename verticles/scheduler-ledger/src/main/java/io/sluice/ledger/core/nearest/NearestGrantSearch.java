package io.sluice.ledger.core.nearest;

import io.sluice.ledger.core.LedgerRules;
import io.sluice.ledger.core.state.NodeState;
import io.sluice.ledger.core.state.Reservation;
import io.sluice.ledger.core.state.RoomClaim;
import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.messages.ledger.grant.GrantChange.Kind;
import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.messages.ledger.grant.NearestGrant;
import io.sluice.messages.ledger.grant.NearestGrant.Sufficiency;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Finds the smallest changes with which a node ledger would grant a request that it denies. Each change is tried on a
 * copy of the state, by the command that decides on the request.
 *
 * <p>The command runs at most once for each reservation, some 60 times for each kind of resource, and a few times more.
 */
public final class NearestGrantSearch {
    /** In the order in which they are left out again where they are not needed. */
    private static final List<Kind> CONDITIONS =
            List.of(Kind.CLAIM_ENDED, Kind.MIGRATION_ENDED, Kind.NODE_READY, Kind.LEDGER_COMPLETE, Kind.MAXIMUM);

    private final TrialState present;
    private final GrantQuery query;
    private final GrantTrial trial;

    private NearestGrantSearch(NodeState state, LedgerRules rules, GrantQuery query) {
        this.query = query;
        trial = new GrantTrial(state, rules, query);
        var requester =
                query instanceof GrantQuery.OfPermit permit ? Optional.of(permit.pod()) : Optional.<String>empty();
        var lasting = state.claiming(state.claim().map(NearestGrantSearch::lasting));
        present = new TrialState(lasting, requester, trial.ledger());
    }

    /** What would let the request be granted on this state. */
    public static NearestGrant find(NodeState state, LedgerRules rules, GrantQuery query) {
        return new NearestGrantSearch(state, rules, query).find();
    }

    /** A claim that the state still has has not ended. */
    private static RoomClaim lasting(RoomClaim claim) {
        return new RoomClaim(claim.room(), claim.since(), Instant.MAX);
    }

    private NearestGrant find() {
        if (grants(present)) {
            return new NearestGrant(Sufficiency.GRANTED, List.of());
        }
        var alone = Stream.of(
                        amounts(present, Kind.ROOM, Kind.WATERMARK, Kind.MAXIMUM),
                        conditions().filter(change -> change.kind() != Kind.MAXIMUM && grants(present.with(change))),
                        departures().stream())
                .flatMap(changes -> changes)
                .sorted(Comparator.comparing(GrantChange::kind))
                .toList();
        return alone.isEmpty() ? together() : new NearestGrant(Sufficiency.ANY, alone);
    }

    private boolean grants(TrialState changed) {
        return trial.grants(changed.state());
    }

    /** Conditions that are enough together, with room if that is missing too; each of them is needed. */
    private NearestGrant together() {
        var needed = new ArrayList<>(conditions().toList());
        var room = grants(present.with(needed))
                ? Optional.<GrantChange>empty()
                : amounts(present.with(needed), Kind.ROOM).findFirst();
        room.ifPresent(needed::add);
        if (!grants(present.with(needed))) {
            return NearestGrant.UNKNOWN;
        }
        for (var change : List.copyOf(needed)) {
            var less = needed.stream().filter(other -> other != change).toList();
            if (grants(present.with(less))) {
                needed.remove(change);
            }
        }
        needed.sort(Comparator.comparing(GrantChange::kind));
        return needed.size() > 1 ? new NearestGrant(Sufficiency.ALL, needed) : maximumAlone(needed.getFirst());
    }

    /** A maximum that is enough alone, where a much higher one is not: what is over a compute unit counts otherwise. */
    private NearestGrant maximumAlone(GrantChange maximum) {
        return LeastAmount.lower(present, query, maximum, this::grants)
                .map(least -> new NearestGrant(Sufficiency.ANY, List.of(least)))
                .orElse(NearestGrant.UNKNOWN);
    }

    private Stream<GrantChange> amounts(TrialState from, Kind... kinds) {
        return Stream.of(kinds)
                .filter(kind -> concerns(kind, from))
                .flatMap(kind -> LeastAmount.find(from, query, kind, this::grants).stream());
    }

    private boolean concerns(Kind kind, TrialState from) {
        return switch (query) {
            case GrantQuery.OfPermit _ -> kind != Kind.WATERMARK && from.own().isPresent();
            case GrantQuery.OfHold hold -> kind != Kind.MAXIMUM && (kind != Kind.WATERMARK || hold.belowWatermark());
        };
    }

    /** Changes of the node or of the VM itself, where the state is otherwise. */
    private Stream<GrantChange> conditions() {
        return CONDITIONS.stream().flatMap(kind -> condition(kind).stream());
    }

    private Optional<GrantChange> condition(Kind kind) {
        var state = present.state();
        var plain = GrantChange.of(kind, state.node(), "");
        return switch (kind) {
            case NODE_READY -> state.size().notReady().map(it -> plain);
            case LEDGER_COMPLETE -> state.notReady().map(it -> plain);
            case MIGRATION_ENDED -> present.own().filter(Reservation::migrates).map(it -> plain);
            case CLAIM_ENDED ->
                state.claim()
                        .filter(it -> query instanceof GrantQuery.OfHold)
                        .map(claim ->
                                GrantChange.of(kind, state.node(), claim.room().pod()));
            case MAXIMUM -> present.own().flatMap(this::maximum);
            default -> Optional.empty();
        };
    }

    /** What the VM's maximum lacks for the size that is requested. */
    private Optional<GrantChange> maximum(Reservation own) {
        return query instanceof GrantQuery.OfPermit permit
                ? Optional.of(GrantTrial.target(own, permit).minus(own.limits().max()))
                        .filter(more -> !more.equals(Resources.NONE))
                        .map(more -> GrantChange.more(Kind.MAXIMUM, permit.node(), more, FixedAmounts.NONE))
                : Optional.empty();
    }

    /** For each kind of departure the smallest reservation whose end is enough. */
    private List<GrantChange> departures() {
        var found = new TreeMap<Kind, GrantChange>();
        for (var reservation : bySize()) {
            var change = departure(reservation);
            if (!found.containsKey(change.kind()) && grants(present.with(change))) {
                found.put(change.kind(), change);
            }
        }
        return List.copyOf(found.values());
    }

    /** The reservations of others, the smallest first. */
    private List<Reservation> bySize() {
        var requester = switch (query) {
            case GrantQuery.OfPermit permit -> permit.pod();
            case GrantQuery.OfHold(var hold, var _) -> hold.holder();
        };
        return present.state().reservations().all().stream()
                .filter(reservation -> !reservation.id().equals(requester))
                .sorted(Comparator.<Reservation>comparingDouble(this::share).thenComparing(Reservation::id))
                .toList();
    }

    private double share(Reservation reservation) {
        var charge = reservation.amounts().charge();
        var total = present.state().size().total();
        return (double) charge.milliCpu() / Math.max(1, total.milliCpu())
                + (double) charge.memoryBytes() / Math.max(1, total.memoryBytes());
    }

    private GrantChange departure(Reservation reservation) {
        var pod = reservation.pod();
        return new GrantChange(
                departureKind(reservation),
                present.state().node(),
                reservation.amounts().charge(),
                reservation.taken(),
                pod.id(),
                pod.namespace() + "/" + (pod.runsVm() ? pod.vmName() : pod.name()));
    }

    private static Kind departureKind(Reservation reservation) {
        if (reservation.status().held()) {
            return Kind.HOLD_ENDED;
        }
        if (!reservation.pod().runsVm()) {
            return Kind.POD_ENDED;
        }
        if (reservation.migrates()) {
            return Kind.VM_LEFT;
        }
        var limits = reservation.limits();
        return limits.migratable() || limits.alwaysMigrate() ? Kind.VM_MOVED : Kind.POD_ENDED;
    }
}
