package io.sluice.kills;

import io.sluice.billing.wire.AccountLine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Compares billed use and gaps with what VMs really had. Besides these, two kinds of use may stay uncovered: use that
 * was received late, for the length of the delay, and use that both began and ended while the process received nothing,
 * because it cannot be known.
 */
final class Cover {
    /**
     * How far readings of one clock in two processes may differ, in addition to the difference of the billing clock.
     */
    private static final long SLACK = 1_000_000;

    private final History history;
    private final ObservedHistory reported;
    private final long slack;
    private final Map<String, List<Span>> charged;
    private final Map<String, List<Span>> unbilled = new HashMap<>();
    private final Map<String, Long> unbilledNs = new TreeMap<>();
    private final List<Span> deaf = new ArrayList<>();
    private final List<String> holes = new ArrayList<>();
    private final Sums sums = new Sums();

    /** Sums of what VMs really had, in milli-CPU times nanoseconds. */
    static final class Sums {
        long all;
        long charged;
        long unbilled;
        long late;
        long unknown;
    }

    Cover(History history, ObservedHistory reported, Map<String, List<Span>> charged, List<AccountLine.Unbilled> gaps) {
        this.history = history;
        this.reported = reported;
        this.slack = SLACK + reported.mostAhead();
        this.charged = charged;
        gaps.forEach(this::gap);
        long before = Long.MIN_VALUE;
        for (long wentOn : reported.wentOn()) {
            deaf(before, wentOn, gaps);
            before = wentOn;
        }
        long from = reported.begin().orElseThrow();
        for (int vm = 0; vm < history.vms(); vm++) {
            runs(vm, new Span(from, reported.receivedUntil())).forEach(this::lay);
        }
    }

    private void gap(AccountLine.Unbilled gap) {
        var span = span(gap);
        unbilled.computeIfAbsent(gap.part().uid(), unknown -> new ArrayList<>()).add(span);
        unbilledNs.merge(gap.cause(), span.length(), Long::sum);
    }

    private static Span span(AccountLine.Unbilled gap) {
        return new Span(Nanos.of(gap.part().start()), Nanos.of(gap.part().stop()));
    }

    /**
     * Nothing is known of the time since the earliest gap that ended when receiving resumed, or just before, because
     * the clock may have been read once more by then.
     */
    private void deaf(long after, long wentOn, List<AccountLine.Unbilled> gaps) {
        gaps.stream()
                .map(Cover::span)
                .filter(span -> span.to() > after && span.to() <= wentOn)
                .mapToLong(Span::from)
                .min()
                .ifPresent(from -> deaf.add(new Span(from, wentOn)));
    }

    /** A time in which a VM was billed without a break, in pieces of one size. */
    private record Run(String uid, List<Piece> pieces) {
        Span span() {
            return new Span(
                    pieces.getFirst().span().from(), pieces.getLast().span().to());
        }
    }

    private record Piece(Span span, long milliCpu) {}

    private List<Run> runs(int vm, Span within) {
        var runs = new ArrayList<Run>();
        long at = within.from();
        boolean goesOn = false;
        while (at < within.to()) {
            long next = Math.min(history.next(vm, at), within.to());
            var state = history.at(vm, at);
            if (state.use().isPresent()) {
                if (!goesOn || !runs.getLast().uid().equals(state.uid())) {
                    runs.add(new Run(state.uid(), new ArrayList<>()));
                }
                runs.getLast()
                        .pieces()
                        .add(new Piece(new Span(at, next), state.use().get().milliCpu()));
            }
            goesOn = state.use().isPresent();
            at = next;
        }
        return runs;
    }

    private void lay(Run run) {
        var billed = Span.merged(charged.getOrDefault(run.uid(), List.of()));
        var known = Span.merged(both(billed, unbilled.getOrDefault(run.uid(), List.of())));
        var late =
                reported.late(run.uid()).stream().map(span -> span.wider(slack)).toList();
        var excused = Span.merged(both(known, late));
        boolean unknown = deaf.stream().anyMatch(span -> run.span().isIn(span.wider(slack)));
        for (var piece : run.pieces()) {
            long all = amount(piece, List.of(piece.span()));
            long notBilled = amount(piece, piece.span().without(billed));
            long notKnown = amount(piece, piece.span().without(known));
            var left = piece.span().without(excused);
            sums.all += all;
            sums.charged += all - notBilled;
            sums.unbilled += notBilled - notKnown;
            if (unknown) {
                sums.unknown += notKnown;
            } else {
                sums.late += notKnown;
                left.stream()
                        .filter(hole -> hole.length() > slack && !beganUnlooked(run.uid(), hole))
                        .forEach(hole -> holes.add(run.uid() + " had " + piece.milliCpu() + " mCPU for "
                                + hole.length() / 1_000_000 + " ms, neither billed nor reported as a gap: " + hole));
            }
        }
    }

    /**
     * Whether it lies between a look at the history and the instant until which changes then count as received, also at
     * a stop. A change in between is reported to the next process, and a gap begins at that instant.
     */
    private boolean beganUnlooked(String uid, Span hole) {
        return unbilled.getOrDefault(uid, List.of()).stream().anyMatch(gap -> gap.from() == hole.to())
                && reported.lastLookBefore(hole.to()) <= hole.from() + slack;
    }

    private static long amount(Piece piece, List<Span> spans) {
        return piece.milliCpu() * spans.stream().mapToLong(Span::length).sum();
    }

    private static List<Span> both(Collection<Span> one, Collection<Span> other) {
        return Stream.concat(one.stream(), other.stream()).toList();
    }

    /** Known time that is neither billed nor reported as a gap, one sentence each. */
    List<String> holes() {
        return List.copyOf(holes);
    }

    Sums sums() {
        return sums;
    }

    /** The time of gaps by cause, in nanoseconds. */
    Map<String, Long> unbilledNs() {
        return unbilledNs;
    }
}
