package io.sluice.dashboards;

import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The hand-kept source of one dashboard, in {@code dashboards/parts}.
 *
 * @param title the dashboard's title
 * @param about what it shows, in one sentence
 * @param console the page of the console that shows the same now; empty for the fleet
 * @param variables the variables besides the data source: {@code node}, {@code process}
 * @param rows its rows from top to bottom
 */
record Part(String title, String about, String console, List<String> variables, List<Row> rows) {
    private static final Path FOLDER = Dashboards.FOLDER.resolve("parts");
    private static final YAMLMapper YAML = new YAMLMapper();

    /** Panels below one heading. */
    record Row(String title, List<Panel> panels) {}

    /** A number of now, or lines over time. */
    enum Kind {
        stat(4, 4),
        graph(8, 8);

        private final int width;
        private final int height;

        Kind(int width, int height) {
            this.width = width;
            this.height = height;
        }

        int height() {
            return height;
        }
    }

    /** One line, or as many as a legend with labels has. */
    record Query(String query, String legend) {}

    /**
     * One panel.
     *
     * @param about what it means and what to do
     * @param width of 24 columns; null for its kind's
     * @param stacked whether lines lie on each other
     * @param base a stat's colour below all steps; null for green
     * @param steps colours of a stat by the value at which they begin, ascending
     * @param line where a graph has a red line; null for none
     * @param dashed lines outside the stack by legend, with their colours
     * @param query a stat's only query
     * @param queries a graph's
     */
    record Panel(
            Kind kind,
            String title,
            String about,
            String unit,
            Integer width,
            boolean stacked,
            String base,
            Map<String, Double> steps,
            Double line,
            Map<String, String> dashed,
            String query,
            List<Query> queries) {
        int columns() {
            return Optional.ofNullable(width).orElse(kind.width);
        }

        List<Query> all() {
            return queries == null ? List.of(new Query(query, title)) : queries;
        }
    }

    /** The sources by the uid of the dashboard that each makes, in the order of the overview's links. */
    static Map<String, Part> all() throws IOException {
        var parts = new java.util.LinkedHashMap<String, Part>();
        for (var name : List.of(
                "ledger", "agent", "monitor", "patcher", "pressure", "placement", "billing", "gateway", "jvm")) {
            parts.put(
                    "sluice-" + name,
                    YAML.readValue(FOLDER.resolve(name + ".yaml").toFile(), Part.class));
        }
        try (var files = Files.list(FOLDER)) {
            if (files.count() != parts.size()) {
                throw new IllegalStateException(FOLDER + " has a file that makes no dashboard");
            }
        }
        return parts;
    }
}
