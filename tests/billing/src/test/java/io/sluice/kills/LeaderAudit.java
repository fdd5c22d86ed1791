package io.sluice.kills;

import io.sluice.billing.wire.AccountLine;
import io.sluice.billing.wire.ExactKey;
import io.sluice.billing.wire.UsageEvent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Compares what a receiver kept of all leaders' events with the history: every instant of every VM. Two kinds of use
 * may stay uncovered: use that a process received late, for the length of the delay, and use that both began and ended
 * while no process received anything, because it cannot be known.
 */
final class LeaderAudit {
    private static final String ACTIVE = "active_time_seconds";

    /** How far readings of one clock in two processes may differ, in addition to the difference of billing clocks. */
    private static final long SLACK = 1_000_000;

    private final List<String> complaints = new ArrayList<>();
    private final Map<String, UsageEvent> kept = new LinkedHashMap<>();
    private final Map<String, List<Span>> charged = new HashMap<>();
    private final Map<String, List<Span>> gaps = new HashMap<>();
    private final Collection<AccountLine.Unbilled> unbilled;
    private final Observers observers;
    private final long slack;
    private int repeats;
    private long had;
    private long billed;
    private long doubled;
    private long gapped;
    private long longest;
    private long late;
    private long unknown;

    LeaderAudit(
            History history,
            Observers observers,
            List<UsageEvent> received,
            Collection<AccountLine.Unbilled> unbilled) {
        this.unbilled = unbilled;
        this.observers = observers;
        this.slack = SLACK + observers.mostAhead();
        for (var event : received) {
            repeats += kept.putIfAbsent(event.idempotencyKey(), event) == null ? 0 : 1;
        }
        kept.values().stream().filter(event -> event.metric().equals(ACTIVE)).forEach(this::charge);
        unbilled.forEach(this::gap);
        charged.values().forEach(spans -> spans.sort(Comparator.comparingLong(Span::from)));
        charged.forEach(this::checkOrder);
        long from = charged.values().stream()
                .mapToLong(spans -> spans.getFirst().from())
                .min()
                .orElseThrow();
        long to = charged.values().stream()
                .mapToLong(spans -> spans.getLast().to())
                .max()
                .orElseThrow();
        var used = used(history, new Span(from, to));
        used.forEach(this::checkCover);
        charged.forEach((uid, spans) -> checkUsed(uid, spans, used.getOrDefault(uid, List.of())));
    }

    private void charge(UsageEvent event) {
        var uid = ExactKey.parse(event.idempotencyKey()).orElseThrow().uid();
        var span = new Span(Nanos.of(event.startTime()), Nanos.of(event.stopTime()));
        charged.computeIfAbsent(uid, first -> new ArrayList<>()).add(span);
        billed += event.value() * History.SECOND;
    }

    private void gap(AccountLine.Unbilled gap) {
        var span = new Span(Nanos.of(gap.part().start()), Nanos.of(gap.part().stop()));
        gaps.computeIfAbsent(gap.part().uid(), first -> new ArrayList<>()).add(span);
        gapped += span.length();
        // A gap that ends later is not one of a fail-over.
        if (span.to() < observers.stoppedAt()) {
            longest = Math.max(longest, span.length());
        }
    }

    private void checkOrder(String uid, List<Span> spans) {
        for (int i = 1; i < spans.size(); i++) {
            long twice = spans.get(i - 1).to() - spans.get(i).from();
            if (twice > 0) {
                doubled += twice;
                complaints.add(uid + " is billed twice: " + spans.get(i - 1) + " and " + spans.get(i));
            }
        }
    }

    /** The time in which each VM was to be billed. */
    private static Map<String, List<Span>> used(History history, Span within) {
        var used = new HashMap<String, List<Span>>();
        for (int vm = 0; vm < history.vms(); vm++) {
            for (long at = within.from(); at < within.to(); ) {
                long next = Math.min(history.next(vm, at), within.to());
                var state = history.at(vm, at);
                if (state.use().isPresent()) {
                    used.computeIfAbsent(state.uid(), first -> new ArrayList<>())
                            .add(new Span(at, next));
                }
                at = next;
            }
        }
        used.replaceAll((uid, spans) -> Span.merged(spans));
        return used;
    }

    private void checkCover(String uid, List<Span> used) {
        var known = new ArrayList<>(charged.getOrDefault(uid, List.of()));
        known.addAll(gaps.getOrDefault(uid, List.of()));
        var late = wider(observers.late(uid));
        var beforeGaps = wider(observers.lateOrUnlooked(uid));
        for (var span : used) {
            had += span.length();
            boolean looked = observers.lookedDuring(span);
            for (var hole : span.without(Span.merged(known))) {
                if (!looked) {
                    unknown += hole.length();
                } else {
                    this.late += hole.length();
                    // Use that began after the last look is a gap from the instant until which changes were received.
                    boolean beganUnlooked = hole.from() == span.from() && isGapFrom(uid, hole.to());
                    notAllowed(hole, beganUnlooked ? beforeGaps : late)
                            .forEach(rest -> complaints.add(uid + " is neither billed nor reported as a gap: " + rest));
                }
            }
        }
    }

    private boolean isGapFrom(String uid, long instant) {
        return gaps.getOrDefault(uid, List.of()).stream().anyMatch(gap -> gap.from() == instant);
    }

    private List<Span> wider(List<Span> spans) {
        return Span.merged(spans.stream().map(span -> span.wider(slack)).toList());
    }

    private List<Span> notAllowed(Span span, List<Span> allowed) {
        return span.without(allowed).stream()
                .filter(rest -> rest.length() > slack)
                .toList();
    }

    private void checkUsed(String uid, List<Span> spans, List<Span> used) {
        var allowed = new ArrayList<>(gaps.getOrDefault(uid, List.of()));
        allowed.addAll(wider(observers.lateOrUnlooked(uid)));
        for (var span : spans) {
            for (var extra : span.without(used)) {
                notAllowed(extra, Span.merged(allowed))
                        .forEach(rest -> complaints.add(uid + " is billed and had nothing: " + rest));
            }
        }
    }

    List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** The longest gap of a fail-over, in seconds. */
    double longestGap() {
        return seconds(longest);
    }

    int keys() {
        return kept.size();
    }

    String figures() {
        return String.format(
                Locale.ROOT,
                """
                keys, repeats: %d, %d
                seconds of VMs: had %.1f, billed %.1f, gapped %.1f (%d gaps, the longest %.1f), doubled %.1f
                received late: %.3f s; began and ended while no process received anything: %.1f s
                """,
                kept.size(),
                repeats,
                seconds(had),
                seconds(billed),
                seconds(gapped),
                unbilled.size(),
                seconds(longest),
                seconds(doubled),
                seconds(late),
                seconds(unknown));
    }

    private static double seconds(long ns) {
        return (double) ns / History.SECOND;
    }
}
