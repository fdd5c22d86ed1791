package io.sluice.agent.core.metrics;

import io.sluice.agent.core.scaling.SystemMetrics;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the system metrics of a VM from Prometheus' text format.
 *
 * <p>Each gauge looked for must be declared as one and have exactly one sample with a finite value, whatever its
 * labels. A line that is not of the format rejects the text, also where it belongs to a metric nobody asked for: half
 * of a truncated answer is worse than none.
 */
public final class MetricsText {
    /** What the kernel keeps for itself and no gauge shows: counted as used. */
    private static final double KERNEL_BYTES = 100L << 20;

    private static final String LOAD1 = "host_load1";
    private static final String LOAD5 = "host_load5";
    private static final String TOTAL = "host_memory_total_bytes";
    private static final String AVAILABLE = "host_memory_available_bytes";
    private static final String CACHED = "host_memory_cached_bytes";
    private static final List<String> WANTED = List.of(LOAD1, LOAD5, TOTAL, AVAILABLE, CACHED);
    private static final Set<String> TYPES = Set.of("counter", "gauge", "histogram", "summary", "untyped");

    private final Map<String, String> types = new HashMap<>();
    private final Map<String, Double> values = new HashMap<>();
    private final Set<String> sampled = new HashSet<>();

    private MetricsText() {}

    /** Reads all of the text, or says why it cannot. */
    public static MetricsReading read(String text) {
        var reader = new MetricsText();
        try {
            text.lines().forEach(reader::line);
            return reader.result();
        } catch (MalformedException malformed) {
            return new MetricsReading.Rejected(malformed.getMessage());
        }
    }

    private MetricsReading result() {
        for (var name : WANTED) {
            if (!"gauge".equals(types.get(name))) {
                return new MetricsReading.Rejected(name + " is not declared as a gauge");
            }
            if (!values.containsKey(name)) {
                return new MetricsReading.Rejected(name + " has no sample");
            }
            if (!Double.isFinite(values.get(name))) {
                return new MetricsReading.Rejected(name + " is not finite: " + values.get(name));
            }
        }
        double usage = values.get(TOTAL) - values.get(AVAILABLE) + KERNEL_BYTES;
        return new MetricsReading.Read(
                new SystemMetrics(values.get(LOAD1), values.get(LOAD5), usage, values.get(CACHED)));
    }

    private void line(String line) {
        var cursor = new LineCursor(line);
        cursor.skipBlanks();
        if (cursor.atEnd()) {
            return;
        }
        if (cursor.take('#')) {
            comment(cursor);
        } else {
            sample(cursor);
        }
    }

    private void comment(LineCursor cursor) {
        cursor.skipBlanks();
        if (!"TYPE".equals(cursor.word())) {
            return;
        }
        cursor.skipBlanks();
        var name = cursor.metricName();
        cursor.skipBlanks();
        var type = cursor.word();
        cursor.skipBlanks();
        if (!TYPES.contains(type) || !cursor.atEnd()) {
            throw cursor.malformed("no type of metric");
        }
        if (sampled.contains(name) || types.putIfAbsent(name, type) != null) {
            throw cursor.malformed("a second declaration, or one after its samples");
        }
    }

    private void sample(LineCursor cursor) {
        var name = cursor.metricName();
        cursor.skipBlanks();
        if (cursor.take('{')) {
            cursor.labels();
            cursor.skipBlanks();
        }
        double value = cursor.value();
        cursor.skipBlanks();
        if (!cursor.atEnd()) {
            cursor.timestamp();
        }
        sampled.add(name);
        if (WANTED.contains(name) && values.put(name, value) != null) {
            throw cursor.malformed("a second sample of " + name);
        }
    }
}
