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
 * <p>A line of one of them that is not of the format rejects the whole text, and so does a text whose last line does
 * not end: half of a truncated response is worse than none. Such lines of other metrics are counted and skipped, so
 * that one flawed exporter in a VM does not stop its scaling.
 */
final class GaugeText {
    private static final List<String> TYPES = List.of("counter", "gauge", "histogram", "summary", "untyped");

    private static final String NO_TYPE = "not a metric type";

    /** What is not read, and has no name here. */
    private static final Family OTHER = new Family("");

    private final Set<String> wanted;
    private final TextCursor cursor;
    private final Map<String, Family> families = new HashMap<>();
    private Family last = OTHER;
    private Family ofLine = OTHER;
    private int badLines;

    /** One line of a gauge that is read. */
    record Sample(Map<String, String> labels, double value) {}

    /**
     * What is parsed so far of one name. An exporter writes its samples one after the other, so the last one is cached.
     */
    private static final class Family {
        private final String name;
        private final List<Sample> samples = new ArrayList<>(1);
        private Optional<String> type = Optional.empty();
        private boolean sampled;

        Family(String name) {
            this.name = name;
        }
    }

    private GaugeText(byte[] text, Set<String> wanted) {
        this.wanted = wanted;
        this.cursor = new TextCursor(text);
    }

    /** @throws MalformedException when a line of a wanted gauge is not of the format, or the text is truncated */
    static GaugeText read(byte[] text, Set<String> wanted) {
        var reader = new GaugeText(text, wanted);
        while (reader.cursor.nextLine()) {
            reader.ofLine = OTHER;
            try {
                reader.line();
            } catch (MalformedException malformed) {
                if (reader.ofLine != OTHER) {
                    throw malformed;
                }
                reader.badLines++;
            }
        }
        return reader;
    }

    /** How many lines of other metrics are not of the format. */
    int badLines() {
        return badLines;
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
        var type = type();
        cursor.skipBlanks();
        if (!cursor.atEnd()) {
            throw cursor.malformed(NO_TYPE);
        }
        if (family != OTHER) {
            declare(family, type);
        }
    }

    private String type() {
        for (var type : TYPES) {
            if (cursor.takeWord(type)) {
                return type;
            }
        }
        throw cursor.malformed(NO_TYPE);
    }

    private void declare(Family family, String type) {
        if (family.sampled || family.type.isPresent()) {
            throw cursor.malformed("a second declaration, or one after its samples");
        }
        family.type = Optional.of(type);
    }

    private void sample() {
        var family = family();
        cursor.skipBlanks();
        boolean isWanted = family != OTHER;
        var labels = cursor.take('{') ? cursor.labels(isWanted) : Map.<String, String>of();
        cursor.skipBlanks();
        if (isWanted) {
            family.samples.add(new Sample(labels, cursor.value()));
            family.sampled = true;
        } else {
            cursor.skipValue();
        }
        cursor.skipBlanks();
        if (!cursor.atEnd()) {
            cursor.timestamp();
        }
    }

    /** Takes the name of the line's metric. It is not copied, as most lines have that of another metric. */
    private Family family() {
        cursor.takeMetricName();
        ofLine = cursor.isMetric(last.name) ? last : wantedFamily();
        if (ofLine != OTHER) {
            last = ofLine;
        }
        return ofLine;
    }

    private Family wantedFamily() {
        for (var name : wanted) {
            if (cursor.isMetric(name)) {
                return families.computeIfAbsent(name, Family::new);
            }
        }
        return OTHER;
    }
}
