package io.sluice.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: no panel is empty and no alert uses a metric that does not exist. Method: the demo as a process of its own, a
 * real Prometheus that scrapes it, and every query of every dashboard sent to it; Prometheus's own tool tests the rules
 * with made-up series.
 */
class DashboardsTest {
    private static final Path DASHBOARDS = Path.of("..", "..", "dashboards");
    private static final Path RULES = DASHBOARDS.resolve("alerts.yaml");
    private static final Path STORIES = Path.of("src", "test", "resources", "alerts-test.yaml");
    /** The demo has no workers; the test of their metrics compares these names. */
    private static final String OF_WORKERS = "sluice_workers_";

    private static final Pattern SELECTOR =
            Pattern.compile("\\b(sluice|autoscaling|jvm|process|system)_[a-z0-9_]+\\b(\\{[^}]*})?");
    private static final Pattern LEFT_OUT = Pattern.compile("[a-z_]+!=\"[^\"]*\"");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{([a-z_]+)}}");
    private static final Duration DATA_WITHIN = Duration.ofSeconds(300);
    private static final int QUERIES_AT_LEAST = 60;

    private final ObjectMapper json = new ObjectMapper();

    @TempDir
    private Path folder;

    @Test
    void everyPanelHasDataAndEveryAlertItsMetrics() throws Exception {
        assumePrometheus();
        assumeThat(Demo.START_SCRIPT)
                .as("the distribution, which mvn package makes")
                .exists();
        try (var demo = Demo.start(folder);
                var prometheus = Prometheus.start(folder, demo.targets(), RULES)) {
            haveData(prometheus, "queries", queries());
            // Series that come and go had data at some time, and need not have any now.
            assertThat(targets())
                    .allSatisfy(target -> await("legend of " + target)
                            .atMost(DATA_WITHIN)
                            .untilAsserted(() -> fillsItsLegend(prometheus, target)));
            assertThat(prometheus.rules()).as("alerts").isNotEmpty().allSatisfy(DashboardsTest::isWhole);
            haveData(prometheus, "what alerts look at", selectors(prometheus.rules()));
        }
    }

    @Test
    void everyPanelDescribesWhatItShowsAndWhatToDo() throws IOException {
        var titles = new ArrayList<String>();

        for (var panel : panels()) {
            var title = panel.path("title").asText();
            titles.add(title);
            assertThat(panel.path("description").asText())
                    .as("description of %s", title)
                    .endsWith(".");
            assertThat(panel.path("fieldConfig").path("defaults").path("unit").asText())
                    .as("unit of %s", title)
                    .isNotBlank();
            assertThat(panel.path("targets").size()).as("queries of %s", title).isPositive();
        }
        assertThat(titles).isNotEmpty().doesNotContain("").doesNotHaveDuplicates();
    }

    @Test
    void theAlertsAreRules() throws Exception {
        assumePrometheus();

        assertThat(Prometheus.complaint("check", "rules", RULES)).isEmpty();
    }

    @Test
    void theAlertsThatWakeTheOperatorFireWhenTheyShouldAndNotBefore() throws Exception {
        assumePrometheus();

        assertThat(Prometheus.complaint("test", "rules", STORIES)).isEmpty();
    }

    private static void assumePrometheus() {
        assumeThat(Prometheus.isInstalled())
                .as("prometheus and promtool, of Debian's package prometheus")
                .isTrue();
    }

    private static void haveData(Prometheus prometheus, String what, Set<String> queries) {
        assertThat(queries).as(what).isNotEmpty();
        var empty = new TreeSet<>(queries);
        await(what).atMost(DATA_WITHIN).untilAsserted(() -> {
            empty.removeIf(query -> !prometheus.query(query).isEmpty());
            assertThat(empty).as(what + " without data").isEmpty();
        });
    }

    private static void fillsItsLegend(Prometheus prometheus, JsonNode target) {
        var labels =
                LEGEND.matcher(target.path("legendFormat").asText()).results().map(label -> label.group(1));
        var query = filledIn(target.path("expr").asText());
        assertThat(labels)
                .allSatisfy(label -> assertThat(prometheus.query(query))
                        .as("label %s of %s", label, query)
                        .isNotEmpty()
                        .allSatisfy(sample ->
                                assertThat(sample.path("metric").has(label)).isTrue()));
    }

    private static void isWhole(JsonNode rule) {
        assertThat(rule.path("lastError").asText()).as("error of %s", rule).isEmpty();
        assertThat(rule.path("labels").path("severity").asText())
                .as("severity of %s", rule)
                .isIn("critical", "warning");
        assertThat(rule.path("annotations").path("summary").asText())
                .as("summary of %s", rule)
                .isNotBlank();
        assertThat(rule.path("annotations").path("description").asText())
                .as("description of %s", rule)
                .endsWith(".");
    }

    private Set<String> queries() throws IOException {
        var queries = new TreeSet<String>();
        targets().forEach(target -> queries.add(filledIn(target.path("expr").asText())));
        assertThat(queries).as("queries of the dashboards").hasSizeGreaterThan(QUERIES_AT_LEAST);
        return queries;
    }

    private List<JsonNode> targets() throws IOException {
        var targets = new ArrayList<JsonNode>();
        panels().forEach(panel -> panel.path("targets").forEach(targets::add));
        return targets;
    }

    /** The query with Grafana's variables filled in, with all nodes chosen. */
    private static String filledIn(String query) {
        var filled = query.replace("$__rate_interval", "30s")
                .replace("$__range", "5m")
                .replace("$node", ".*");
        assertThat(filled).as("variables of %s", query).doesNotContain("$");
        return filled;
    }

    private List<JsonNode> panels() throws IOException {
        var panels = new ArrayList<JsonNode>();
        try (var files = Files.newDirectoryStream(DASHBOARDS, "*.json")) {
            for (var file : files) {
                json.readTree(file.toFile()).path("panels").forEach(panels::add);
            }
        }
        panels.removeIf(panel -> panel.path("type").asText().equals("row"));
        return panels;
    }

    /** The series that alerts use. Matchers are left out, as a failure that a matcher selects may never happen here. */
    private static Set<String> selectors(List<JsonNode> rules) {
        var selectors = new TreeSet<String>();
        for (var rule : rules) {
            var query = LEFT_OUT.matcher(rule.path("query").asText()).replaceAll("");
            SELECTOR.matcher(query)
                    .results()
                    .map(MatchResult::group)
                    .filter(series -> !series.startsWith(OF_WORKERS))
                    .forEach(selectors::add);
        }
        return selectors;
    }
}
