package io.sluice.kills;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.billing.wire.AccountLine;
import io.sluice.billing.wire.ExactKey;
import io.sluice.billing.wire.UsageEvent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Goal: the audit reports each window that is missing, and nothing that no process could know. Method: two processes
 * receive the history of some VMs, in some tests until a stop and again after the next start.
 */
class LeaderAuditTest {
    private static final long T = 1_795_638_262 * History.SECOND;
    private static final long MS = 1_000_000;

    /** Of these, u-10-3 is billed from 104 s to 108 s, and not from there to 112 s. */
    private static final History HISTORY = new History(20261122, T, 11);

    private static final String UID = "u-10-3";
    private static final Span USED = new Span(at(104), at(108));

    private final List<UsageEvent> events = new ArrayList<>();
    private final List<AccountLine.Unbilled> gaps = new ArrayList<>();
    private final List<List<Journal.Line>> journals = List.of(new ArrayList<>(), new ArrayList<>());

    private static long at(double seconds) {
        return T + Math.round(seconds * History.SECOND);
    }

    @Test
    void findsNothingWhereAllIsBilledOrAGap() {
        receive(80, 119, 1);
        bill(80, 118);

        assertThat(audit(119.1).complaints()).isEmpty();
    }

    @Test
    void reportsOneMissingWindow() {
        receive(80, 119, 1);
        bill(80, 118);
        events.removeIf(event -> event.idempotencyKey().contains(UID) && Nanos.of(event.startTime()) == at(105));

        assertThat(audit(119.1).complaints())
                .containsExactly(UID + " is neither billed nor reported as a gap: " + new Span(at(105), at(106)));
    }

    @Test
    void reportsAWindowInWhichTheVmWasNotBilled() {
        receive(80, 119, 1);
        bill(80, 118);
        bill(UID, new Span(at(109), at(110)));

        assertThat(audit(119.1).complaints())
                .containsExactly(UID + " is billed and had nothing: " + new Span(at(109), at(110)));
    }

    @Test
    void allowsForUseThatBeganAndEndedWhileNoProcessReceivedMessages() {
        receive(80, 103.46, 1);
        receive(108.84, 119, 1);
        bill(80, 103.46);
        bill(108.84, 118);
        gapsOfAll(103.46, 108.84);

        var audit = audit(103.5);
        assertThat(audit.complaints()).isEmpty();
        assertThat(audit.figures()).contains("while no process received anything: 4.0 s");
    }

    @Test
    void reportsThatUseIfOneProcessReceivedItsBegin() {
        receive(80, 103.46, 1);
        journals.getLast().add(new Journal.Line.Watched(at(104.001), at(104.002)));
        receive(108.84, 119, 1);
        bill(80, 103.46);
        bill(108.84, 118);
        gapsOfAll(103.46, 108.84);

        assertThat(audit(103.5).complaints())
                .containsExactly(UID + " is neither billed nor reported as a gap: " + USED);
    }

    @Test
    void allowsForAChangeOnlyUntilAllHaveReceivedIt() {
        receive(80, 103.9, 1);
        receive(103.9, 119, 3_500);
        bill(80, 118);
        events.removeIf(event -> event.idempotencyKey().contains(UID) && Nanos.of(event.startTime()) < at(107));
        assertThat(audit(119.1).complaints()).isEmpty();

        events.removeIf(event -> event.idempotencyKey().contains(UID) && Nanos.of(event.startTime()) < at(108));
        assertThat(audit(119.1).complaints()).hasSize(1);
    }

    @Test
    void allowsForAVmThatBeganAfterTheLastLookBeforeAStop() {
        stopAfterALookAt(103.99);

        assertThat(audit(104.1).complaints()).isEmpty();
    }

    @Test
    void reportsAVmThatBeganBeforeTheLastLookAndIsAGapFromTheStopOnly() {
        stopAfterALookAt(104.05);

        assertThat(audit(104.1).complaints()).hasSize(1);
    }

    /** The VM began at 104 s; it is billed from 107 s, and until 104.08 s, when the processes stop, it is no gap. */
    private void stopAfterALookAt(double looked) {
        receive(80, 103.9, 1);
        journals.forEach(lines -> lines.add(new Journal.Line.Watched(at(looked), at(104.08))));
        receive(107, 119, 1);
        bill(80, 104.08);
        events.removeIf(event -> event.idempotencyKey().contains(UID));
        gapsOfAll(104.08, 107);
        bill(107, 118);
    }

    private LeaderAudit audit(double stopped) {
        var observed = journals.stream().map(ObservedHistory::new).toList();
        return new LeaderAudit(HISTORY, new Observers(observed, at(stopped)), events, gaps);
    }

    /** Both processes receive each change of the VM so many milliseconds late, from a full list on. */
    private void receive(double from, double to, long lateMs) {
        for (var lines : journals) {
            lines.add(new Journal.Line.Began(0, 0));
            for (int vm = 0; vm < HISTORY.vms(); vm++) {
                observe(lines, vm, at(from), at(from), MS);
            }
            lines.add(new Journal.Line.Listed(at(from)));
            lines.add(new Journal.Line.Watched(at(from), at(from) + 2 * MS));
            for (int vm = 0; vm < HISTORY.vms(); vm++) {
                for (long next = HISTORY.next(vm, at(from)); next < at(to); next = HISTORY.next(vm, next)) {
                    observe(lines, vm, next - 1, next, lateMs * MS);
                }
            }
            lines.add(new Journal.Line.Watched(at(to), at(to)));
        }
    }

    private static void observe(List<Journal.Line> lines, int vm, long before, long changed, long late) {
        var uid = HISTORY.at(vm, before).uid();
        var state = HISTORY.at(vm, changed);
        if (!uid.isEmpty() && !uid.equals(state.uid())) {
            lines.add(new Journal.Line.Gone(uid, changed, changed + late, changed + late));
        }
        if (!state.uid().isEmpty()) {
            lines.add(change(state.uid(), changed, changed + late, state));
        }
    }

    private static Journal.Line change(String uid, long changed, long received, History.State state) {
        long dated = state.since() - state.since() % History.SECOND;
        return new Journal.Line.ReportedChange(uid, changed, dated, received, received, state.use());
    }

    /** Bills all use of that time, in windows of a second. */
    private void bill(double from, double to) {
        spansOfAll(at(from), at(to)).forEach((uid, spans) -> spans.forEach(span -> bill(uid, span)));
    }

    private void bill(String uid, Span span) {
        for (long start = span.from(); start < span.to(); ) {
            long stop = Math.min(span.to(), start - start % History.SECOND + History.SECOND);
            var key = new ExactKey(Nanos.instant(start), uid, "active_time_seconds", "ep");
            events.add(new UsageEvent(key.text(), key.metric(), key.endpoint(), key.start(), Nanos.instant(stop), 1));
            start = stop;
        }
    }

    /** Reports that time as a gap for each VM that is billed before or after it. */
    private void gapsOfAll(double from, double to) {
        for (int vm = 0; vm < HISTORY.vms(); vm++) {
            var before = HISTORY.at(vm, at(from));
            var after = HISTORY.at(vm, at(to));
            before.use().ifPresent(use -> gap(before.uid(), at(from), at(to)));
            after.use().ifPresent(use -> gap(after.uid(), at(from), at(to)));
        }
    }

    private void gap(String uid, long from, long to) {
        var part = new AccountLine.Part("vm", "neonvm", uid, "ep", Nanos.instant(from), Nanos.instant(to));
        gaps.add(new AccountLine.Unbilled(part, "restart", 250));
    }

    private static Map<String, List<Span>> spansOfAll(long from, long to) {
        var spans = new HashMap<String, List<Span>>();
        for (int vm = 0; vm < HISTORY.vms(); vm++) {
            for (long at = from; at < to; ) {
                long next = Math.min(HISTORY.next(vm, at), to);
                var state = HISTORY.at(vm, at);
                if (state.use().isPresent()) {
                    spans.computeIfAbsent(state.uid(), first -> new ArrayList<>())
                            .add(new Span(at, next));
                }
                at = next;
            }
        }
        spans.replaceAll((uid, of) -> Span.merged(of));
        return spans;
    }
}
