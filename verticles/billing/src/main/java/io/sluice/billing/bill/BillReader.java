package io.sluice.billing.bill;

import io.sluice.billing.core.Bill;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.file.BadLine;
import io.sluice.billing.sink.file.EventFiles;
import io.sluice.billing.wire.AccountLine;
import io.sluice.billing.wire.ExactKey;
import io.sluice.billing.wire.UsageEvent;
import io.sluice.billing.wire.UsageEventJson;
import io.sluice.billing.wire.UsageMetricNames;
import io.sluice.shell.BoundedMap;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Adds up the bills in the files of a directory. An event counts in full with the window that it starts in. A repeated
 * event counts once, and so does a repeated account line.
 */
public final class BillReader {
    /** A repetition follows soon after the first, or not at all. */
    public static final int KEYS_KEPT = 200_000;

    private final UsageMetricNames metrics;
    private final Instant from;
    private final Instant to;
    private final Map<Subject, Bill> bills = new HashMap<>();
    private final Map<String, AccountLine.Part> vms = new HashMap<>();
    private final List<BadLine> badLines = new ArrayList<>();
    private final Map<Object, Boolean> counted;
    private final Map<Object, Instant> latest = new HashMap<>();
    private final int keysKept;
    private long keys;
    private long uncertain;

    /** A VM by its uid, which is empty for events of the reference's arithmetic, and its endpoint. */
    private record Subject(String uid, String endpoint) {}

    /** Two parts of a VM's time under one endpoint never begin at the same instant. */
    private record LineKey(Class<?> kind, Subject subject, Instant start) {}

    /** Keys that differ only by their start. */
    private record Series(Object kind, Subject subject) {}

    /**
     * The result.
     *
     * @param bills a bill for each VM and endpoint, sorted by name
     * @param badLines lines that cannot be read
     * @param uncertain events and account lines that may have been counted before, too long ago to compare them
     */
    public record Found(List<Bill> bills, List<BadLine> badLines, long uncertain) {
        public Found {
            bills = List.copyOf(bills);
            badLines = List.copyOf(badLines);
        }
    }

    /**
     * Creates a reader for windows that begin at {@code from} or later, and before {@code to}.
     *
     * @param metrics names of the metrics in events
     */
    public BillReader(UsageMetricNames metrics, Instant from, Instant to) {
        this(metrics, from, to, KEYS_KEPT);
    }

    BillReader(UsageMetricNames metrics, Instant from, Instant to, int keysKept) {
        this.keysKept = keysKept;
        this.counted = BoundedMap.ofNewest(keysKept);
        this.metrics = metrics;
        this.from = from;
        this.to = to;
    }

    /**
     * Reads a directory that a file sink writes to; the sink may be writing meanwhile.
     *
     * @throws IOException if the directory cannot be read
     */
    public Found read(Path directory) throws IOException {
        new EventFiles<>(this::usage, this::add, badLines::add).readAll(directory, EventKind.BILLING);
        badLines.addAll(AccountReader.read(directory, this::add));
        bills.keySet().stream()
                .filter(subject -> !subject.uid().isEmpty())
                .toList()
                .forEach(this::joinUnnamed);
        var found = bills.entrySet().stream()
                .map(entry -> described(entry.getKey().uid(), entry.getValue()))
                .sorted(Comparator.comparing(Bill::vm).thenComparing(Bill::endpoint))
                .toList();
        return new Found(found, badLines, uncertain);
    }

    private Bill described(String uid, Bill bill) {
        var vm = vms.get(uid);
        return vm == null ? bill.of(uid, "") : bill.of(vm.vm(), vm.driver());
    }

    /** Events of the reference's arithmetic name no VM, so account lines of its VMs go to the bill of the endpoint. */
    private void joinUnnamed(Subject subject) {
        var unnamed = new Subject("", subject.endpoint());
        if (bills.containsKey(unnamed)) {
            bills.merge(unnamed, bills.remove(subject), Bill::plus);
        }
    }

    private UsageEvent usage(String line) throws IOException {
        var event = UsageEventJson.read(line);
        requireKnown(event);
        return event;
    }

    /** Amounts of a metric with another name would silently be missing from the sums. */
    private void requireKnown(UsageEvent event) throws IOException {
        if (counts(event.startTime()) && !isCompute(event) && !isActive(event)) {
            throw new IOException("metric should be \"" + metrics.compute() + "\" or \"" + metrics.active()
                    + "\", not \"" + event.metric() + "\"");
        }
    }

    private boolean isCompute(UsageEvent event) {
        return event.metric().equals(metrics.compute());
    }

    private boolean isActive(UsageEvent event) {
        return event.metric().equals(metrics.active());
    }

    private boolean counts(Instant start) {
        return !start.isBefore(from) && start.isBefore(to);
    }

    private boolean isRepeated(Object key, Series series, Instant start) {
        if (counted.put(key, true) != null) {
            return true;
        }
        keys++;
        // Within a file of one process records follow each other. Those of a window that was taken over do not.
        var last = latest.get(series);
        if (last == null || last.isBefore(start)) {
            latest.put(series, start);
        } else if (keys > keysKept) {
            uncertain++;
        }
        return false;
    }

    private void add(UsageEvent event) {
        var uid = ExactKey.parse(event.idempotencyKey()).map(ExactKey::uid).orElse("");
        var series = new Series(event.metric(), new Subject(uid, event.endpointId()));
        if (!counts(event.startTime()) || isRepeated(event.idempotencyKey(), series, event.startTime())) {
            return;
        }
        change(
                uid,
                event.endpointId(),
                bill -> bill.plus(isCompute(event) ? event.value() : 0, isActive(event) ? event.value() : 0));
    }

    private void add(AccountLine line) {
        var part = line.part();
        vms.put(part.uid(), part);
        var subject = new Subject(part.uid(), part.endpoint());
        var key = new LineKey(line.getClass(), subject, part.start());
        if (!counts(part.start()) || isRepeated(key, new Series(line.getClass(), subject), part.start())) {
            return;
        }
        switch (line) {
            case AccountLine.Billed billed ->
                change(part.uid(), part.endpoint(), bill -> bill.checked(billed.milliCpuNs(), billed.heldMilliCpuNs()));
            case AccountLine.Unbilled unbilled ->
                change(part.uid(), part.endpoint(), bill -> bill.missing(Duration.between(part.start(), part.stop())));
            case AccountLine.Late late ->
                change(
                        part.uid(),
                        part.endpoint(),
                        bill -> bill.late(Duration.between(part.start(), part.stop()), late.milliCpu()));
        }
    }

    private void change(String uid, String endpoint, UnaryOperator<Bill> change) {
        bills.compute(
                new Subject(uid, endpoint),
                (subject, bill) -> change.apply(Optional.ofNullable(bill).orElseGet(() -> Bill.empty(uid, endpoint))));
    }
}
