package io.sluice.agent.core.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The samples of some gauges, read from Prometheus' text format.
 *
 * <p>A line that is not of the format rejects the text, also where it belongs to a metric nobody asked for: half of a
 * truncated answer is worse than none.
 */
final class GaugeText {
    private static final Set<String> TYPES = Set.of("counter", "gauge", "histogram", "summary", "untyped");

    private final Set<String> wanted;
    private final Map<String, String> types = new HashMap<>();
    private final Map<String, List<Sample>> samples = new HashMap<>();
    private final Set<String> sampled = new HashSet<>();

    /** One line of a gauge that was looked for. */
    record Sample(Map<String, String> labels, double value) {}

    private GaugeText(Set<String> wanted) {
        this.wanted = wanted;
    }

    /** @throws MalformedException when some line is not of the format */
    static GaugeText read(String text, Set<String> wanted) {
        var reader = new GaugeText(wanted);
        text.lines().forEach(reader::line);
        return reader;
    }

    /** The gauge's one value. */
    double only(String name) {
        var all = all(name);
        if (all.size() > 1) {
            throw new MalformedException(name + " has a second sample");
        }
        return all.getFirst().value();
    }

    /** All samples of a gauge: at least one, each finite. */
    List<Sample> all(String name) {
        if (!"gauge".equals(types.get(name))) {
            throw new MalformedException(name + " is not declared as a gauge");
        }
        var all = samples.getOrDefault(name, List.of());
        if (all.isEmpty()) {
            throw new MalformedException(name + " has no sample");
        }
        for (var sample : all) {
            if (!Double.isFinite(sample.value())) {
                throw new MalformedException(name + " is not finite: " + sample.value());
            }
        }
        return all;
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
        var labels = cursor.take('{') ? cursor.labels() : Map.<String, String>of();
        cursor.skipBlanks();
        double value = cursor.value();
        cursor.skipBlanks();
        if (!cursor.atEnd()) {
            cursor.timestamp();
        }
        sampled.add(name);
        if (wanted.contains(name)) {
            samples.computeIfAbsent(name, first -> new ArrayList<>()).add(new Sample(labels, value));
        }
    }
}
