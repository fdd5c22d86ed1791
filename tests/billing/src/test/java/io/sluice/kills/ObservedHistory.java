package io.sluice.kills;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What was published of each VM to the billing process, by the billing clock, and when it received messages. A size
 * counts from its arrival, between its publication and its line in the journal, or from the end of its recorded second.
 * A change of endpoint may count from the whole second of its recorded time, and so may all that was missed.
 */
final class ObservedHistory {
    /** A complaint names what was received that long before and after. */
    private static final long AROUND = 3 * History.SECOND;

    private final Map<String, List<Turn>> turns = new HashMap<>();
    private final Map<String, List<Span>> late = new HashMap<>();
    private final Map<String, List<Span>> lateEnds = new HashMap<>();
    private final List<Span> looked = new ArrayList<>();
    private final List<Span> unlooked = new ArrayList<>();
    private final List<Long> wentOn = new ArrayList<>();
    private long ahead;
    private long mostAhead;
    private OptionalLong listed = OptionalLong.empty();
    private boolean listens;
    private long listensSince;
    private long receivedUntil;

    /** A VM has this state from the instant {@code surely}; possibly from {@code perhaps} on. */
    private record Turn(long perhaps, long surely, Optional<History.Use> use) {}

    /** The least and the most that a key can have used, in milli-CPU times nanoseconds. */
    record Amount(long least, long most) {}

    ObservedHistory(List<Journal.Line> journal) {
        journal.forEach(this::receive);
    }

    private void receive(Journal.Line line) {
        switch (line) {
            case Journal.Line.Began(var _, var isAhead) -> {
                ahead = isAhead;
                mostAhead = Math.max(mostAhead, Math.abs(isAhead));
                deaf();
            }
            case Journal.Line.ReportedChange(var uid, var changed, var dated, var reported, var received, var use) ->
                turn(uid, changed, dated, reported + ahead, received + ahead, use);
            case Journal.Line.Gone(var uid, var changed, var reported, var received) ->
                turn(uid, changed, Long.MAX_VALUE, reported + ahead, received + ahead, Optional.empty());
            case Journal.Line.Listed(var asOf) -> listed = OptionalLong.of(asOf);
            case Journal.Line.Watched(var looked, var received) -> watched(looked, received + ahead);
            case Journal.Line.Silent(var _) -> deaf();
        }
    }

    private void deaf() {
        listed = OptionalLong.empty();
        listens = false;
    }

    /** Changes that were missed are known after a full list. */
    private void watched(long lastLook, long at) {
        if (!listens && listed.isPresent()) {
            wentOn.add(at);
            listensSince = listed.getAsLong();
            listens = true;
            looked.add(new Span(listensSince, listensSince));
        }
        if (listens) {
            receivedUntil = at;
            looked.add(new Span(looked.removeLast().from(), lastLook));
            unlooked.add(new Span(lastLook, at));
        }
    }

    private void turn(String uid, long changed, long dated, long reported, long received, Optional<History.Use> use) {
        var before = turns.computeIfAbsent(uid, unknown -> new ArrayList<>());
        var last = before.isEmpty()
                ? Optional.<History.Use>empty()
                : before.getLast().use();
        boolean samePays = last.map(History.Use::endpoint).equals(use.map(History.Use::endpoint));
        boolean trusted = dated <= received;
        long recorded = samePays && listens ? dated + History.SECOND : dated;
        before.add(new Turn(trusted ? Math.min(recorded, reported) : reported, received, use));
        if (listens) {
            var untilReceived = new Span(Math.max(changed, listensSince), received);
            late.computeIfAbsent(uid, unknown -> new ArrayList<>()).add(untilReceived);
            if (last.isPresent() != use.isPresent()) {
                lateEnds.computeIfAbsent(uid, unknown -> new ArrayList<>()).add(untilReceived);
            }
        }
    }

    /** Returns what the VM used under that endpoint; empty if it was not billed to the endpoint all the time. */
    Optional<Amount> amount(String uid, String endpoint, List<Span> spans) {
        long least = 0;
        long most = 0;
        for (var span : spans) {
            var amount = amount(uid, endpoint, span);
            if (amount.isEmpty()) {
                return amount;
            }
            least += amount.get().least();
            most += amount.get().most();
        }
        return Optional.of(new Amount(least, most));
    }

    /** What was received of a VM up to 3 s before and after some time, for a complaint. */
    String around(String uid, Span span) {
        var wide = span.wider(AROUND);
        return turns.getOrDefault(uid, List.of()).stream()
                .filter(turn -> turn.surely() >= wide.from() && turn.perhaps() <= wide.to())
                .map(Turn::toString)
                .collect(Collectors.joining(", ", "received of it: ", ""));
    }

    private Optional<Amount> amount(String uid, String endpoint, Span span) {
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

    /** Returns all sizes that the VM may have had then under that endpoint. */
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

    /**
     * Returns when changes of the VM had happened and were not received yet, although the process received messages.
     */
    List<Span> late(String uid) {
        return late.getOrDefault(uid, List.of());
    }

    /** The same for use that began or ended, without changes of size and endpoint. */
    List<Span> lateEnds(String uid) {
        return lateEnds.getOrDefault(uid, List.of());
    }

    /** The times of which it received the history: each from a full list to the last look before a kill or a stop. */
    List<Span> looked() {
        return List.copyOf(looked);
    }

    /** From each look at the history to the instant until which changes then count as received. */
    List<Span> unlooked() {
        return List.copyOf(unlooked);
    }

    /** The last look at the history that was reported to the process before an instant. */
    long lastLookBefore(long at) {
        return unlooked.stream()
                .mapToLong(Span::from)
                .filter(look -> look <= at)
                .max()
                .orElse(Long.MIN_VALUE);
    }

    /** The instants at which it began to receive messages. */
    List<Long> wentOn() {
        return List.copyOf(wentOn);
    }

    /** The last instant at which it received messages. */
    long receivedUntil() {
        return receivedUntil;
    }

    /** The greatest difference between the billing clock and the shared clock. */
    long mostAhead() {
        return mostAhead;
    }

    /** The first instant at which it received messages; empty if it never did. */
    OptionalLong begin() {
        return wentOn.stream().mapToLong(at -> at).min();
    }
}
