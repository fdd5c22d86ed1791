package io.sluice.kills;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * What the process that bills was told of each VM, by the clock of bills, and when it listened. A size counts from when
 * it is heard of, between its being said and written down; that somebody else pays, or that nobody does, may count from
 * the whole second that the change is dated to.
 */
final class ObservedHistory {
    /** Dates that are older when they are heard are not believed. */
    private static final long DATED_WITHIN = 3 * History.SECOND;

    private final Map<String, List<Turn>> turns = new HashMap<>();
    private final Map<String, List<Span>> late = new HashMap<>();
    private final List<Long> wentOn = new ArrayList<>();
    private long ahead;
    private long mostAhead;
    private OptionalLong listed = OptionalLong.empty();
    private boolean listens;
    private long listensSince;
    private long heardUntil;

    /** A VM is so from then on; perhaps it counted from an earlier instant. */
    private record Turn(long perhaps, long surely, Optional<History.Use> use) {}

    /** The least and the most that a key can have used, in milli-CPU times nanoseconds. */
    record Amount(long least, long most) {}

    ObservedHistory(List<Journal.Line> journal) {
        journal.forEach(this::hear);
    }

    private void hear(Journal.Line line) {
        switch (line) {
            case Journal.Line.Began(var _, var isAhead) -> {
                ahead = isAhead;
                mostAhead = Math.max(mostAhead, Math.abs(isAhead));
                deaf();
            }
            case Journal.Line.ReportedChange(var uid, var changed, var dated, var said, var heard, var use) ->
                turn(uid, changed, dated, said + ahead, heard + ahead, use);
            case Journal.Line.Gone(var uid, var changed, var said, var heard) ->
                turn(uid, changed, Long.MAX_VALUE, said + ahead, heard + ahead, Optional.empty());
            case Journal.Line.Listed(var asOf) -> listed = OptionalLong.of(asOf);
            case Journal.Line.Watched(var heard) -> watched(heard + ahead);
            case Journal.Line.Silent(var _) -> deaf();
        }
    }

    private void deaf() {
        listed = OptionalLong.empty();
        listens = false;
    }

    /** What changed unheard of is known once everything was listed. */
    private void watched(long at) {
        if (!listens && listed.isPresent()) {
            wentOn.add(at);
            listensSince = listed.getAsLong();
            listens = true;
        }
        if (listens) {
            heardUntil = at;
        }
    }

    private void turn(String uid, long changed, long dated, long said, long heard, Optional<History.Use> use) {
        var before = turns.computeIfAbsent(uid, unknown -> new ArrayList<>());
        var last = before.isEmpty()
                ? Optional.<History.Use>empty()
                : before.getLast().use();
        boolean samePays = last.map(History.Use::endpoint).equals(use.map(History.Use::endpoint));
        boolean believed = dated <= heard && heard - dated <= DATED_WITHIN;
        before.add(new Turn(samePays || !believed ? said : Math.min(dated, said), heard, use));
        if (listens) {
            late.computeIfAbsent(uid, unknown -> new ArrayList<>())
                    .add(new Span(Math.max(changed, listensSince), heard));
        }
    }

    /** What that VM used while that one paid; empty where somebody else did, or nobody. */
    Optional<Amount> amount(String uid, String endpoint, Span span) {
        var all = turns.getOrDefault(uid, List.of());
        var cuts = all.stream()
                .flatMap(turn -> Stream.of(turn.perhaps(), turn.surely()))
                .filter(at -> at > span.from() && at < span.to());
        var ends = Stream.concat(cuts, Stream.of(span.to())).sorted().distinct().toList();
        long least = 0;
        long most = 0;
        long from = span.from();
        for (long to : ends) {
            var sizes = sizes(all, endpoint, from);
            if (sizes.isEmpty() && to > from) {
                return Optional.empty();
            }
            if (to > from) {
                least += Math.multiplyExact(
                        sizes.stream().mapToLong(size -> size).min().orElseThrow(), to - from);
                most += Math.multiplyExact(
                        sizes.stream().mapToLong(size -> size).max().orElseThrow(), to - from);
            }
            from = to;
        }
        return Optional.of(new Amount(least, most));
    }

    /** All that the VM may have had then while that one paid. */
    private static List<Long> sizes(List<Turn> turns, String endpoint, long at) {
        var uses = new ArrayList<Optional<History.Use>>();
        var surely = Optional.<History.Use>empty();
        for (var turn : turns) {
            if (turn.surely() <= at) {
                surely = turn.use();
            } else if (turn.perhaps() <= at) {
                uses.add(turn.use());
            }
        }
        uses.add(surely);
        return uses.stream()
                .flatMap(Optional::stream)
                .filter(use -> use.endpoint().equals(endpoint))
                .map(History.Use::milliCpu)
                .toList();
    }

    /** When changes of that VM had happened and were not heard of yet, though the process listened. */
    List<Span> late(String uid) {
        return late.getOrDefault(uid, List.of());
    }

    /** When it began to listen, each time. */
    List<Long> wentOn() {
        return List.copyOf(wentOn);
    }

    /** When it listened last. */
    long heardUntil() {
        return heardUntil;
    }

    /** How far the clock of bills and the shared one were apart at most. */
    long mostAhead() {
        return mostAhead;
    }

    /** When the process listened first; empty if it never did. */
    OptionalLong begin() {
        return wentOn.stream().mapToLong(at -> at).min();
    }
}
