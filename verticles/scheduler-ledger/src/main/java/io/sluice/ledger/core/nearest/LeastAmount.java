package io.sluice.ledger.core.nearest;

import io.sluice.devices.Device;
import io.sluice.devices.Zone;
import io.sluice.messages.ledger.grant.GrantChange;
import io.sluice.messages.ledger.grant.GrantQuery;
import io.sluice.units.FixedAmounts;
import io.sluice.units.Resources;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Finds the least room, watermark or maximum with which a request is granted. Each kind is decided for itself, so each
 * is lowered by halves while there is plenty of the others.
 */
final class LeastAmount {
    /** Kinds of which room can be added, before the fixed ones. */
    private static final int SCALED = 2;

    /** Covers what is lost where an amount is divided by an overcommit. */
    private static final Resources ROUNDING = new Resources(1_000, 1_000);

    private final TrialState from;
    private final GrantQuery query;
    private final GrantChange.Kind kind;
    private final Predicate<TrialState> grants;
    private final List<String> fixed;

    private LeastAmount(TrialState from, GrantQuery query, GrantChange.Kind kind, Predicate<TrialState> grants) {
        this.from = from;
        this.query = query;
        this.kind = kind;
        this.grants = grants;
        fixed = query instanceof GrantQuery.OfHold(var hold, var _) && kind == GrantChange.Kind.ROOM
                ? hold.fixed().byKind().keySet().stream()
                        .filter(name -> !Zone.isKind(name) && !Device.isKind(name))
                        .toList()
                : List.of();
    }

    /** The least change of that kind; empty where none is enough. */
    static Optional<GrantChange> find(
            TrialState from, GrantQuery query, GrantChange.Kind kind, Predicate<TrialState> grants) {
        var search = new LeastAmount(from, query, kind, grants);
        return search.find(search::plenty);
    }

    /** The least change of the kind of a maximum that is enough. */
    static Optional<GrantChange> lower(
            TrialState from, GrantQuery query, GrantChange maximum, Predicate<TrialState> grants) {
        var room = maximum.room();
        return new LeastAmount(from, query, maximum.kind(), grants)
                .find(() -> new long[] {room.milliCpu(), room.memoryBytes()});
    }

    private Optional<GrantChange> find(Supplier<long[]> enough) {
        try {
            var plenty = enough.get();
            if (!grants(plenty)) {
                return Optional.empty();
            }
            var least = new long[plenty.length];
            for (int at = 0; at < least.length; at++) {
                least[at] = least(plenty, at);
            }
            return grants(least) ? Optional.of(change(least)) : Optional.empty();
        } catch (ArithmeticException beyond) {
            // So much room is beyond counting, and cannot be had.
            return Optional.empty();
        }
    }

    private long least(long[] plenty, int at) {
        long denied = -1;
        long granted = plenty[at];
        while (granted - denied > 1) {
            long middle = denied + (granted - denied) / 2;
            var tried = plenty.clone();
            tried[at] = middle;
            if (grants(tried)) {
                granted = middle;
            } else {
                denied = middle;
            }
        }
        return granted;
    }

    private boolean grants(long[] amounts) {
        return grants.test(from.with(change(amounts)));
    }

    private GrantChange change(long[] amounts) {
        var others = new TreeMap<String, Long>();
        for (int at = 0; at < fixed.size(); at++) {
            others.put(fixed.get(at), amounts[SCALED + at]);
        }
        return GrantChange.more(
                kind, from.state().node(), new Resources(amounts[0], amounts[1]), FixedAmounts.of(others));
    }

    /** More than can be missing of each kind: all that is reserved, kept or requested. */
    private long[] plenty() {
        var sums = from.state().sums();
        var kept = from.state().claim().map(claim -> claim.room());
        var most = sums.reserved()
                .plus(requested())
                .plus(kept.map(room -> room.charge()).orElse(Resources.NONE));
        var amounts = new long[SCALED + fixed.size()];
        amounts[0] = most.milliCpu();
        amounts[1] = most.memoryBytes();
        for (int at = 0; at < fixed.size(); at++) {
            var name = fixed.get(at);
            long claimed = kept.map(room -> room.fixed().of(name)).orElse(0L);
            amounts[SCALED + at] = Math.addExact(sums.fixed().of(name), Math.addExact(claimed, requested(name)));
        }
        return amounts;
    }

    private Resources requested() {
        return switch (query) {
            case GrantQuery.OfHold(var hold, var _) ->
                hold.overcommit().charge(hold.amounts()).plus(ROUNDING);
            case GrantQuery.OfPermit permit ->
                from.own()
                        .map(own -> own.amounts()
                                .overcommit()
                                .charge(GrantTrial.target(own, permit)
                                        .plus(GrantTrial.unit(own))
                                        .plus(ROUNDING))
                                .plus(ROUNDING))
                        .orElse(Resources.NONE);
        };
    }

    private long requested(String name) {
        return query instanceof GrantQuery.OfHold hold ? hold.hold().fixed().of(name) : 0;
    }
}
