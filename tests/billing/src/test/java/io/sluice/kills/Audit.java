package io.sluice.kills;

import io.sluice.billing.wire.AccountLine;
import io.sluice.billing.wire.ExactKey;
import io.sluice.billing.wire.UsageEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Compares what was billed with the history. Each usage record equals what was received, every accepted event arrived,
 * no instant is billed twice, and none is missing without a gap.
 */
final class Audit {
    private static final String COMPUTE = "effective_compute_seconds";
    private static final String ACTIVE = "active_time_seconds";
    private static final long COMPUTE_SECOND = 1_000 * History.SECOND;

    /** A remainder below one unit is carried, also through windows of which nothing is known. */
    private static final long UNITS_MOST = 2;

    private final Evidence evidence;
    private final ObservedHistory reported;
    private final Map<String, UsageEvent> events = new LinkedHashMap<>();
    private final Map<Stretch, AccountLine.Billed> charges = new TreeMap<>();
    private final List<AccountLine.Unbilled> gaps;
    private final List<String> complaints = new ArrayList<>();
    private long repeats;

    /** A VM and endpoint with a time; sorted by time for each key. */
    private record Stretch(String uid, String endpoint, Span span) implements Comparable<Stretch> {
        private static final Comparator<Stretch> ORDER = Comparator.comparing(Stretch::uid)
                .thenComparing(Stretch::endpoint)
                .thenComparingLong(stretch -> stretch.span().from())
                .thenComparingLong(stretch -> stretch.span().to());

        @Override
        public int compareTo(Stretch other) {
            return ORDER.compare(this, other);
        }
    }

    private Audit(Evidence evidence) {
        this.evidence = evidence;
        reported = new ObservedHistory(evidence.journal());
        complaints.addAll(evidence.strange());
        gaps = new LinkedHashSet<>(evidence.account())
                .stream()
                        .filter(AccountLine.Unbilled.class::isInstance)
                        .map(AccountLine.Unbilled.class::cast)
                        .toList();
        evidence.account().stream()
                .filter(AccountLine.Billed.class::isInstance)
                .map(AccountLine.Billed.class::cast)
                .forEach(this::charge);
    }

    /** Returns all errors, and the sums. */
    static Findings of(Evidence evidence) {
        var audit = new Audit(evidence);
        audit.checkKeys();
        audit.checkArrivals();
        long exact = audit.checkAmounts();
        long off = audit.checkValues();
        audit.checkOrder();
        var cover = new Cover(evidence.history(), audit.reported, audit.knownSpans(), audit.gaps);
        audit.complaints.addAll(cover.holes());
        return new Findings(
                List.copyOf(audit.complaints),
                audit.charges.size(),
                audit.events.size(),
                audit.repeats,
                audit.value(COMPUTE),
                exact,
                off,
                cover,
                audit.reported);
    }

    private void charge(AccountLine.Billed line) {
        var before = charges.put(stretch(line), line);
        if (before != null && !before.equals(line)) {
            complaints.add("two account lines of one usage record: " + before + " and " + line);
        }
    }

    private static Span span(Instant start, Instant stop) {
        return new Span(Nanos.of(start), Nanos.of(stop));
    }

    /** Checks that no key has two different events. */
    private void checkKeys() {
        for (var event : evidence.received()) {
            var before = events.putIfAbsent(event.idempotencyKey(), event);
            repeats += before == null ? 0 : 1;
            if (before != null && !before.equals(event)) {
                complaints.add("one key, two events: " + before + " and " + event);
            }
        }
        for (var event : evidence.filed()) {
            var received = events.get(event.idempotencyKey());
            if (received != null && !received.equals(event)) {
                complaints.add("one key, two events: received " + received + ", in files " + event);
            }
        }
    }

    /** Checks that an accepted event arrived everywhere: by HTTP, in files, and as an account line. */
    private void checkArrivals() {
        var filed = new HashMap<String, UsageEvent>();
        evidence.filed().forEach(event -> filed.put(event.idempotencyKey(), event));
        lacking("the receiver lacks", filed.values(), events.keySet());
        lacking("the files lack", events.values(), filed.keySet());
        var expected = keys(evidence.account());
        lacking("missing account lines of", events.values(), expected);
        expected.stream()
                .filter(key -> !events.containsKey(key))
                .forEach(key -> complaints.add("the receiver lacks an event that has an account line: " + key));
    }

    private void lacking(String complaint, Collection<UsageEvent> all, Collection<String> keys) {
        all.stream()
                .filter(event -> !keys.contains(event.idempotencyKey()))
                .forEach(event -> complaints.add(complaint + " " + event));
    }

    /** The keys of all events that account lines have. */
    static Set<String> keys(Collection<AccountLine> account) {
        var keys = new TreeSet<String>();
        for (var line : account) {
            if (line instanceof AccountLine.Billed billed) {
                for (var metric : List.of(COMPUTE, ACTIVE)) {
                    keys.add(key(stretch(billed), metric));
                }
            }
        }
        return keys;
    }

    private static Stretch stretch(AccountLine.Billed line) {
        var part = line.part();
        return new Stretch(part.uid(), part.endpoint(), span(part.start(), part.stop()));
    }

    private static String key(Stretch stretch, String metric) {
        var start = Nanos.instant(stretch.span().from());
        return new ExactKey(start, stretch.uid(), metric, stretch.endpoint()).text();
    }

    /** Checks that each usage record is what the VM had by the journal, to the nanosecond. */
    private long checkAmounts() {
        long sum = 0;
        for (var charge : charges.entrySet()) {
            var stretch = charge.getKey();
            long billed = charge.getValue().milliCpuNs().longValueExact();
            sum += billed;
            var amount = reported.amount(stretch.uid(), stretch.endpoint(), known(stretch));
            if (amount.isEmpty()) {
                complaints.add("billed although another endpoint or none pays: " + charge.getValue());
            } else if (billed < amount.get().least() || billed > amount.get().most()) {
                complaints.add("billed amount differs from " + amount.get() + ": " + charge.getValue() + "; "
                        + reported.around(stretch.uid(), stretch.span()));
            }
        }
        return sum;
    }

    /** Returns the time of a record without the gaps in it. */
    private List<Span> known(Stretch stretch) {
        return stretch.span()
                .without(Span.merged(gaps.stream()
                        .filter(gap -> gap.part().uid().equals(stretch.uid()))
                        .map(gap -> span(gap.part().start(), gap.part().stop()))
                        .toList()));
    }

    /**
     * Checks that from the first record of a stretch on, whole seconds differ from the exact sum by less than two
     * units.
     */
    private long checkValues() {
        long most = 0;
        Stretch before = null;
        long compute = 0;
        long active = 0;
        for (var charge : charges.entrySet()) {
            var stretch = charge.getKey();
            if (before == null
                    || !before.uid().equals(stretch.uid())
                    || !before.endpoint().equals(stretch.endpoint())
                    || before.span().to() != stretch.span().from()) {
                compute = 0;
                active = 0;
            }
            before = stretch;
            compute += COMPUTE_SECOND * value(stretch, COMPUTE)
                    - charge.getValue().milliCpuNs().longValueExact();
            active += History.SECOND * value(stretch, ACTIVE)
                    - known(stretch).stream().mapToLong(Span::length).sum();
            most = Math.max(most, Math.abs(compute));
            if (Math.abs(compute) >= UNITS_MOST * COMPUTE_SECOND || Math.abs(active) >= UNITS_MOST * History.SECOND) {
                complaints.add("values are off by " + compute + " mCPU ns and " + active + " ns: " + stretch);
            }
        }
        return most;
    }

    private long value(Stretch stretch, String metric) {
        var event = events.get(key(stretch, metric));
        return event == null ? 0 : event.value();
    }

    private long value(String metric) {
        return events.values().stream()
                .filter(event -> event.metric().equals(metric))
                .mapToLong(UsageEvent::value)
                .sum();
    }

    /** Checks that no instant of a VM is billed twice, for any endpoint. */
    private void checkOrder() {
        chargedSpans().forEach((uid, spans) -> {
            for (int i = 1; i < spans.size(); i++) {
                if (spans.get(i).from() < spans.get(i - 1).to()) {
                    complaints.add(uid + " is billed twice: " + spans.get(i - 1) + " and " + spans.get(i));
                }
            }
        });
    }

    private Map<String, List<Span>> knownSpans() {
        var spans = new HashMap<String, List<Span>>();
        charges.keySet()
                .forEach(stretch -> spans.computeIfAbsent(stretch.uid(), first -> new ArrayList<>())
                        .addAll(known(stretch)));
        return spans;
    }

    private Map<String, List<Span>> chargedSpans() {
        var spans = new HashMap<String, List<Span>>();
        charges.keySet()
                .forEach(stretch -> spans.computeIfAbsent(stretch.uid(), unknown -> new ArrayList<>())
                        .add(stretch.span()));
        spans.values()
                .forEach(of -> of.sort(Comparator.comparingLong(Span::from).thenComparingLong(Span::to)));
        return spans;
    }
}
