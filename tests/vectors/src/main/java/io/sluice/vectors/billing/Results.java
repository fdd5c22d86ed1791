package io.sluice.vectors.billing;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.vectors.Difference;
import io.sluice.vectors.Recording;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares Sluice's results with a line. Every key that a recording may use counts on either side; other keys are
 * ignored. Null, false, an empty text and an empty list equal an absent key.
 */
final class Results {
    private static final Set<String> NAMES = Set.of(
            "present",
            "held",
            "lost",
            "pairs",
            "keyTotal",
            "keyTime",
            "atMs",
            "uid",
            "endpoint",
            "cpu",
            "active",
            "open",
            "start",
            "end",
            "closedCpuSeconds",
            "closedActiveNs",
            "cpuSeconds",
            "activeNs",
            "milliCpuNs",
            "metric",
            "type",
            "endpoint_id",
            "start_time",
            "stop_time",
            "value");

    /** The recorded sums are rounded at each slice; Sluice's once. */
    private static final double SUM_TOLERANCE = 1e-12;

    private final Recording.Line line;
    private final List<Difference> differences = new ArrayList<>();

    Results(Recording.Line line) {
        this.line = line;
    }

    List<Difference> differences() {
        return List.copyOf(differences);
    }

    /** Compares everything below a key. */
    void expect(String key, JsonNode recorded, JsonNode ours) {
        if (recorded.isObject() && ours.isObject()) {
            var names = new TreeSet<String>();
            recorded.fieldNames().forEachRemaining(name -> addKnown(names, name));
            ours.fieldNames().forEachRemaining(names::add);
            names.forEach(name -> expect(below(key, name), recorded.path(name), ours.path(name)));
        } else if (recorded.isArray() && ours.isArray() && recorded.size() == ours.size()) {
            for (int i = 0; i < ours.size(); i++) {
                expect(below(key, String.valueOf(i)), recorded.get(i), ours.get(i));
            }
        } else if (!same(recorded, ours)) {
            differences.add(new Difference(line.file(), line.place(), key, text(recorded), text(ours)));
        }
    }

    private static void addKnown(Set<String> names, String name) {
        if (NAMES.contains(name)) {
            names.add(name);
        }
    }

    private static String below(String key, String name) {
        return key.isEmpty() ? name : key + "." + name;
    }

    private static boolean same(JsonNode recorded, JsonNode ours) {
        if (isAbsent(recorded) || isAbsent(ours)) {
            return isAbsent(recorded) && isAbsent(ours);
        }
        if (ours.isDouble() && recorded.isNumber()) {
            double off = Math.abs(recorded.doubleValue() - ours.doubleValue());
            return off <= SUM_TOLERANCE * Math.abs(ours.doubleValue());
        }
        return recorded.toString().equals(ours.toString());
    }

    private static boolean isAbsent(JsonNode node) {
        return node.isMissingNode()
                || node.isNull()
                || (node.isBoolean() && !node.booleanValue())
                || (node.isTextual() && node.textValue().isEmpty())
                || (node.isArray() && node.isEmpty());
    }

    private static String text(JsonNode node) {
        return node.isMissingNode() ? "absent" : node.toString();
    }
}
