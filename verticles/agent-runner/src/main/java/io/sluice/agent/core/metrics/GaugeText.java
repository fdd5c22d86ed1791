package io.sluice.agent.core.metrics;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The samples of some gauges, parsed from the Prometheus text format.
 *
 * <p>A line that is not of the format rejects the whole text, also a line of a metric that is not read: half of a
 * truncated response is worse than none.
 */
final class GaugeText {
    private static final Set<String> TYPES = Set.of("counter", "gauge", "histogram", "summary", "untyped");

    private final Set<String> wanted;
    private final TextCursor cursor;
    private final Map<String, Family> families = new HashMap<>();
    private Family last = new Family("", false);

    /** One line of a gauge that is read. */
    record Sample(Map<String, String> labels, double value) {}

    /**
     * What is parsed so far of one name. An exporter writes its samples one after the other, so the last one is cached.
     */
    private static final class Family {
        private final String name;
        private final boolean wanted;
        private final List<Sample> samples = new ArrayList<>(1);
        private Optional<String> type = Optional.empty();
        private boolean sampled;

        Family(String name, boolean wanted) {
            this.name = name;
            this.wanted = wanted;
        }
    }

    private GaugeText(byte[] text, Set<String> wanted) {
        this.wanted = wanted;
        this.cursor = new TextCursor(text);
    }

    /** @throws MalformedException when some line is not of the format */
    static GaugeText read(byte[] text, Set<String> wanted) {
        var reader = new GaugeText(text, wanted);
        while (reader.cursor.nextLine()) {
            reader.line();
        }
        return reader;
    }

    /** The gauge's one value. */
    double only(String name) {
        var all = all(name);
        if (all.size() > 1) {
            throw new MalformedException(MetricsFault.WRONG_TYPE, name + " has a second sample");
        }
        return all.getFirst().value();
    }

    /** All samples of a gauge: at least one, each finite. */
    List<Sample> all(String name) {
        var family = families.get(name);
        if (family == null || family.type.isEmpty() && !family.sampled) {
            throw new MalformedException(MetricsFault.MISSING, name + " is not declared");
        }
        if (family.type.filter("gauge"::equals).isEmpty()) {
            throw new MalformedException(MetricsFault.WRONG_TYPE, name + " is not declared as a gauge");
        }
        if (family.samples.isEmpty()) {
            throw new MalformedException(MetricsFault.MISSING, name + " has no sample");
        }
        for (var sample : family.samples) {
            if (!Double.isFinite(sample.value())) {
                throw new MalformedException(MetricsFault.NOT_FINITE, name + " is not finite: " + sample.value());
            }
        }
        return family.samples;
    }

    private void line() {
        cursor.skipBlanks();
        if (cursor.atEnd()) {
            return;
        }
        if (cursor.take('#')) {
            comment();
        } else {
            sample();
        }
    }

    private void comment() {
        cursor.skipBlanks();
        if (!cursor.takeWord("TYPE")) {
            return;
        }
        cursor.skipBlanks();
        var family = family();
        cursor.skipBlanks();
        var type = cursor.word();
        cursor.skipBlanks();
        if (!TYPES.contains(type) || !cursor.atEnd()) {
            throw cursor.malformed("not a metric type");
        }
        if (family.sampled || family.type.isPresent()) {
            throw cursor.malformed("a second declaration, or one after its samples");
        }
        family.type = Optional.of(type);
    }

    private void sample() {
        var family = family();
        cursor.skipBlanks();
        var labels = cursor.take('{') ? cursor.labels(family.wanted) : Map.<String, String>of();
        cursor.skipBlanks();
        if (family.wanted) {
            family.samples.add(new Sample(labels, cursor.value()));
        } else {
            cursor.skipValue();
        }
        cursor.skipBlanks();
        if (!cursor.atEnd()) {
            cursor.timestamp();
        }
        family.sampled = true;
    }

    private Family family() {
        if (!cursor.takeName(last.name)) {
            last = families.computeIfAbsent(cursor.metricName(), name -> new Family(name, wanted.contains(name)));
        }
        return last;
    }
}
