package io.sluice.bench.billing;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.billing.wire.ExactKey;
import io.sluice.billing.wire.UnreadableEventException;
import io.sluice.billing.wire.UsageEvent;
import io.sluice.billing.wire.UsageEventJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * Adds up the events that a receiver took, each key once. The events of each VM must follow each other without a gap,
 * and their sums must be what it had in all that time.
 */
final class BillingAudit {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String COMPUTE = "effective_compute_seconds";
    private static final long MILLI = 1000;

    private final Map<Series, TreeMap<Instant, Piece>> series = new HashMap<>();
    private long events;
    private long repeats;
    private long value;

    private record Series(String uid, String metric) {}

    private record Piece(Instant stop, long value) {}

    /** Reads batches, one a line. */
    static BillingAudit of(Path batches) throws IOException, UnreadableEventException {
        var audit = new BillingAudit();
        try (var lines = Files.newBufferedReader(batches)) {
            for (var line = lines.readLine(); line != null; line = lines.readLine()) {
                for (var event : JSON.readTree(line).path("events")) {
                    audit.add(UsageEventJson.read(event.toString()));
                }
            }
        }
        audit.series.forEach(audit::check);
        return audit;
    }

    /** Number of events, each key once. */
    long events() {
        return events;
    }

    /** Number of repeated events. */
    long repeats() {
        return repeats;
    }

    /** Sum of all metrics. */
    long value() {
        return value;
    }

    private void add(UsageEvent event) {
        var key = ExactKey.parse(event.idempotencyKey()).orElseThrow();
        var piece = new Piece(event.stopTime(), event.value());
        var before = series.computeIfAbsent(new Series(key.uid(), key.metric()), unknown -> new TreeMap<>())
                .putIfAbsent(event.startTime(), piece);
        if (before == null) {
            events++;
            value += event.value();
        } else if (before.equals(piece)) {
            repeats++;
        } else {
            throw new IllegalStateException("one key, two events: " + event + " and " + before);
        }
    }

    private void check(Series of, TreeMap<Instant, Piece> pieces) {
        var until = pieces.firstKey();
        long sum = 0;
        for (var piece : pieces.entrySet()) {
            if (!piece.getKey().equals(until)) {
                throw new IllegalStateException(of + ": nothing from " + until + " to " + piece.getKey());
            }
            until = piece.getValue().stop();
            sum += piece.getValue().value();
        }
        var had = Duration.between(pieces.firstKey(), until)
                .multipliedBy(of.metric().equals(COMPUTE) ? BillingSource.milliCpu(of.uid()) : MILLI)
                .dividedBy(MILLI);
        if (sum != had.toSeconds()) {
            throw new IllegalStateException(of + ": used " + had + ", billed are " + sum);
        }
    }
}
