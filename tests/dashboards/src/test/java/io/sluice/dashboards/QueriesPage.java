package io.sluice.dashboards;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import java.util.function.ToIntFunction;

/** The page of all queries of the dashboards with the number of series that each has in the demo. */
final class QueriesPage {
    static final Path FILE = Path.of("..", "..", "docs", "dashboard-queries.md");

    private static final String HEAD = """
        # Queries of the dashboards

        `DashboardsTest` sends each query of each dashboard to a real Prometheus that scrapes the demo, and fails if one
        has no series. With `-Dreference.write=true` it writes this page anew, with the number of series at that time;
        without, it compares the queries alone, as outcomes that occur seldom come and go.
        """;

    private QueriesPage() {}

    /** The page, with the series of each query. */
    static String of(ToIntFunction<String> series) throws IOException {
        var page = new StringBuilder(HEAD);
        var dashboards = new TreeMap<>(Dashboards.all());
        for (var dashboard : dashboards.values()) {
            page.append("\n## ")
                    .append(dashboard.path("title").asText())
                    .append("\n\n| panel | query | series |\n|---|---|--:|\n");
            for (var panel : Dashboards.panels(dashboard)) {
                for (var target : panel.path("targets")) {
                    page.append(row(panel, target, series));
                }
            }
        }
        return page.toString();
    }

    private static String row(JsonNode panel, JsonNode target, ToIntFunction<String> series) {
        var query = target.path("expr").asText();
        return "| %s | `%s` | %d |%n"
                .formatted(panel.path("title").asText(), query.replace("|", "\\|"), series.applyAsInt(query));
    }

    /** The lines of a page without their numbers of series. */
    static List<String> withoutNumbers(String page) {
        return page.lines().map(line -> line.replaceAll("\\| \\d+ \\|$", "|")).toList();
    }
}
