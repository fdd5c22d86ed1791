package io.sluice.replay.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.shell.config.ConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Two reports of replays of the same load, by two releases, side by side. */
public final class ReportDiff {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final long REPORT_BYTES_MAX = 256L << 20;
    private static final int EXAMPLES_MAX = 10;
    private static final String ROW = "%-14s %-14s %-11s %14s %14s %14s";
    private static final List<String> FIGURES =
            List.of("savedPercent", "incidents", "unservedPercent", "outOfMemory", "resizes");
    private static final List<String> PLACED_FIGURES = List.of("unplaced", "denied", "migrations");
    private static final List<String> FLEET_FIGURES = List.of("kilowattHours", "migrations", "slav", "shutdowns");

    private final JsonNode before;
    private final JsonNode after;

    private ReportDiff(JsonNode before, JsonNode after) {
        this.before = before;
        this.after = after;
    }

    /**
     * The differences of two files.
     *
     * @throws ConfigException when they are not of the same load
     */
    public static ReportDiff of(Path before, Path after) throws IOException {
        var diff = new ReportDiff(report(before), report(after));
        for (var field : List.of("trace", "firstSampleCompared", "samples")) {
            if (!diff.before.path(field).equals(diff.after.path(field))) {
                throw new ConfigException(List.of("the reports are not of the same replay: " + field + " is "
                        + diff.before.path(field) + " and " + diff.after.path(field) + "."));
            }
        }
        diff.requireAssumptions();
        return diff;
    }

    /** An assumption that only one of the releases has is of something that the other does not compute. */
    private void requireAssumptions() {
        for (var one : before.path("assumptions").properties()) {
            var other = after.path("assumptions").path(one.getKey());
            if (!other.isMissingNode() && !other.equals(one.getValue())) {
                throw new ConfigException(List.of("the reports are not of the same replay: " + one.getKey() + " is "
                        + one.getValue() + " and " + other + "."));
            }
        }
    }

    private static JsonNode report(Path file) throws IOException {
        if (Files.size(file) > REPORT_BYTES_MAX) {
            throw new ConfigException(List.of("the report " + file + " is too large."));
        }
        var report = MAPPER.readTree(file.toFile());
        if (!report.path("sums").isArray()) {
            throw new ConfigException(List.of(file + " is no report of sluice replay."));
        }
        return report;
    }

    /** Whether both have the same figures. */
    public boolean isSame() {
        return before.path("sums").equals(after.path("sums"))
                && before.path("vms").equals(after.path("vms"))
                && before.path("recording").equals(after.path("recording"))
                && before.path("onNodes").equals(after.path("onNodes"))
                && before.path("fleet").equals(after.path("fleet"));
    }

    /** The differences as lines of text. */
    public List<String> lines() {
        if (isSame()) {
            return List.of(
                    "Both releases give the same report: " + before.path("sums").size() + " sums of "
                            + before.path("vms").size() + " VMs, resources and policies.");
        }
        var lines = new ArrayList<String>();
        lines.add(String.format(Locale.ROOT, ROW, "kind", "policy", "figure", "old", "new", "difference"));
        figures("sums", FIGURES, ReportDiff::resource, lines);
        figures("onNodes", FIGURES, one -> "onNodes " + resource(one), lines);
        figures("onNodes", PLACED_FIGURES, one -> "onNodes", lines);
        figures("fleet", FLEET_FIGURES, one -> "fleet", lines);
        recording(lines);
        vms(lines);
        return lines;
    }

    /** @param kind the rows' first word: those of the same kind and policy are of one thing, and printed once */
    private void figures(String section, List<String> names, Function<JsonNode, String> kind, List<String> lines) {
        var old = byKey(before.path(section), kind);
        var fresh = byKey(after.path(section), kind);
        var keys = new LinkedHashSet<>(old.keySet());
        keys.addAll(fresh.keySet());
        for (var key : keys) {
            for (var figure : names) {
                var one = field(old, key, figure);
                var other = field(fresh, key, figure);
                if (!one.equals(other)) {
                    var name = key.split("/", 2);
                    lines.add(row(name[0], name[1], figure.replace("Percent", " %"), one, other));
                }
            }
        }
    }

    /** How many recorded decisions each release makes as they were made. */
    private void recording(List<String> lines) {
        var old = before.path("recording").path("compared");
        var fresh = after.path("recording").path("compared");
        for (var entry : fresh.properties()) {
            var one = old.path(entry.getKey());
            if (!one.equals(entry.getValue())) {
                lines.add(row("-", "recording", entry.getKey().toLowerCase(Locale.ROOT), one, entry.getValue()));
            }
        }
    }

    private void vms(List<String> lines) {
        var old = byKey(before.path("vms"), ReportDiff::resource);
        var fresh = byKey(after.path("vms"), ReportDiff::resource);
        var changed = fresh.keySet().stream()
                .filter(key -> !fresh.get(key).equals(old.get(key)))
                .toList();
        lines.add(changed.size() + " of " + fresh.size() + " VMs, by resource and policy, differ"
                + (changed.isEmpty() ? "." : ":"));
        for (var key : changed.stream().limit(EXAMPLES_MAX).toList()) {
            lines.add("  " + key + ": granted " + text(field(old, key, "granted")) + " -> "
                    + text(field(fresh, key, "granted")) + ", unserved " + text(field(old, key, "unserved")) + " -> "
                    + text(field(fresh, key, "unserved")) + ", incidents " + text(field(old, key, "incidents"))
                    + " -> " + text(field(fresh, key, "incidents")));
        }
    }

    private static Map<String, JsonNode> byKey(JsonNode all, Function<JsonNode, String> kind) {
        var byKey = new LinkedHashMap<String, JsonNode>();
        for (var one : all) {
            var vm = one.path("vm").asText();
            byKey.put(kind.apply(one) + "/" + one.path("policy").asText() + (vm.isEmpty() ? "" : "/" + vm), one);
        }
        return byKey;
    }

    private static String resource(JsonNode one) {
        return one.path("resource").asText();
    }

    private static JsonNode field(Map<String, JsonNode> all, String key, String name) {
        return all.containsKey(key) ? all.get(key).path(name) : MAPPER.missingNode();
    }

    private static String row(String kind, String policy, String figure, JsonNode old, JsonNode fresh) {
        var difference = old.isNumber() && fresh.isNumber()
                ? String.format(Locale.ROOT, "%+.4f", fresh.asDouble() - old.asDouble())
                : "-";
        return String.format(Locale.ROOT, ROW, kind, policy, figure, text(old), text(fresh), difference);
    }

    private static String text(JsonNode value) {
        if (value.isMissingNode()) {
            return "-";
        }
        return value.isIntegralNumber()
                ? Long.toString(value.asLong())
                : String.format(Locale.ROOT, "%.4f", value.asDouble());
    }
}
