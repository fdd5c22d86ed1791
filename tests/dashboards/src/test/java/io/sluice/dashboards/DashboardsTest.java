package io.sluice.dashboards;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: no panel is empty, no alert uses a metric that does not exist, and alerts fire by their causes. Method: the
 * demo as a process of its own, a real Prometheus that scrapes it, and every query of every dashboard sent to it; some
 * causes of alerts are provoked there, and Prometheus's own tool tests all rules with made-up series.
 */
class DashboardsTest {
    private static final Path RECORDING = Dashboards.FOLDER.resolve("recording.yaml");
    private static final Path STORIES = Path.of("src", "test", "resources", "alerts-test.yaml");
    private static final Pattern METRIC =
            Pattern.compile("\\b(?:sluice|autoscaling|jvm|process|system|vertx)_[a-z0-9_]+\\b");
    private static final Pattern SELECTOR = Pattern.compile(METRIC + "(\\{[^}]*})?");
    private static final Pattern LEFT_OUT = Pattern.compile("[a-z_]+!(?:=|~)\"[^\"]*\"");
    private static final Pattern LEGEND = Pattern.compile("\\{\\{([a-z_]+)}}");
    private static final Pattern PENDING_FOR = Pattern.compile("(?m)^( +for:) .*$");
    private static final Duration DATA_WITHIN = Duration.ofSeconds(300);
    private static final int QUERIES_AT_LEAST = 300;

    /** With three nodes; each has some 30 series. */
    private static final int SERIES_MAX = 5_000;

    private static final int SERIES_MIN = 1_000;

    /**
     * Four histograms of the agent have 41 buckets for each of four directions, and the bus two sides for each address.
     */
    private static final int SERIES_OF_A_METRIC_MAX = 200;

    @TempDir
    private Path folder;

    @Test
    void everyPanelHasDataAndEveryAlertItsMetrics() throws Exception {
        assumePrometheus();
        assumeThat(Demo.START_SCRIPT)
                .as("the distribution, which mvn package makes")
                .exists();
        try (var demo = Demo.start(folder);
                var prometheus = Prometheus.start(folder, demo.targets(), List.of(RECORDING, atOnce(Alerts.FILE)))) {
            haveData(prometheus, "queries", queries());
            // Series that come and go had data at some time, and need not have any now.
            assertThat(targets())
                    .allSatisfy(target -> await("legend of " + target)
                            .atMost(DATA_WITHIN)
                            .untilAsserted(() -> fillsItsLegend(prometheus, target)));
            var rules = prometheus.rules();
            assertThat(rules)
                    .as("rules")
                    .isNotEmpty()
                    .allSatisfy(rule -> assertThat(rule.path("lastError").asText())
                            .as("error of %s", rule)
                            .isEmpty());
            haveData(prometheus, "what alerts look at", selectors(rules));
            haveData(prometheus, "metrics of the dashboards", metrics());
            comparePage(prometheus);
            haveBoundedSeries(prometheus, demo);
            fireByTheirCauses(demo, prometheus);
        }
    }

    @Test
    void theAlertsAndWhatIsRecordedAreRules() throws Exception {
        assumePrometheus();

        assertThat(Prometheus.complaint("check", "rules", Alerts.FILE)).isEmpty();
        assertThat(Prometheus.complaint("check", "rules", RECORDING)).isEmpty();
    }

    @Test
    void theAlertsFireWhenTheyShouldAndNotBefore() throws Exception {
        assumePrometheus();

        assertThat(Prometheus.complaint("test", "rules", STORIES)).isEmpty();
    }

    private static void assumePrometheus() {
        assumeThat(Prometheus.isInstalled())
                .as("prometheus and promtool, of Debian's package prometheus")
                .isTrue();
    }

    /** The alerts without the time for which their condition must last; their windows stay. */
    private Path atOnce(Path alerts) throws IOException {
        return Files.writeString(
                folder.resolve("at-once.yaml"),
                PENDING_FOR.matcher(Files.readString(alerts)).replaceAll("$1 0s"));
    }

    private static void haveData(Prometheus prometheus, String what, Set<String> queries) {
        assertThat(queries).as(what).isNotEmpty();
        var empty = new TreeSet<>(queries);
        await(what).atMost(DATA_WITHIN).untilAsserted(() -> {
            empty.removeIf(query -> hasNumber(prometheus.query(query)));
            assertThat(empty).as(what + " without data").isEmpty();
        });
    }

    /** A panel draws nothing for a series that is no number. */
    private static boolean hasNumber(JsonNode samples) {
        for (var sample : samples) {
            if (!sample.path("value").path(1).asText().equals("NaN")) {
                return true;
            }
        }
        return false;
    }

    private static void fillsItsLegend(Prometheus prometheus, JsonNode target) {
        var labels =
                LEGEND.matcher(target.path("legendFormat").asText()).results().map(label -> label.group(1));
        var query = Dashboards.filledIn(target.path("expr").asText());
        assertThat(labels)
                .allSatisfy(label -> assertThat(prometheus.query(query))
                        .as("label %s of %s", label, query)
                        .isNotEmpty()
                        .allSatisfy(sample ->
                                assertThat(sample.path("metric").has(label)).isTrue()));
    }

    private static void comparePage(Prometheus prometheus) throws IOException {
        var page = QueriesPage.of(
                query -> prometheus.query(Dashboards.filledIn(query)).size());
        if (Boolean.getBoolean("reference.write")) {
            Files.writeString(QueriesPage.FILE, page);
        }
        assertThat(QueriesPage.withoutNumbers(Files.readString(QueriesPage.FILE)))
                .as("%s; with -Dreference.write=true this test writes it anew", QueriesPage.FILE)
                .isEqualTo(QueriesPage.withoutNumbers(page));
    }

    /** Series of a process depend on its nodes, and on nothing that a VM, a pod or a client chooses. */
    private static void haveBoundedSeries(Prometheus prometheus, Demo demo) {
        var vms = new HashSet<String>();
        await("VMs").atMost(DATA_WITHIN).untilAsserted(() -> {
            prometheus
                    .query("count by (vm_name) (autoscaling_vm_extra_ip)")
                    .forEach(sample ->
                            vms.add(sample.path("metric").path("vm_name").asText()));
            assertThat(vms).hasSizeGreaterThan(5);
        });
        // A scrape that comes too late leaves the process without series.
        var series = await("series of the process")
                .atMost(DATA_WITHIN)
                .until(() -> prometheus.query("{instance=\"" + demo.ops() + "\"}"), all -> all.size() >= SERIES_MIN);
        var byMetric = new TreeMap<String, Integer>();
        series.forEach(sample -> {
            var labels = sample.path("metric");
            byMetric.merge(labels.path("__name__").asText(), 1, Integer::sum);
            labels.forEach(value -> assertThat(vms).as("%s", labels).doesNotContain(value.asText()));
            assertThat(labels.has("pod")).as("%s", labels).isFalse();
        });

        assertThat(series.size()).as("series of the process").isLessThanOrEqualTo(SERIES_MAX);
        assertThat(byMetric)
                .allSatisfy((metric, count) ->
                        assertThat(count).as("series of %s", metric).isLessThanOrEqualTo(SERIES_OF_A_METRIC_MAX));
    }

    private static void fireByTheirCauses(Demo demo, Prometheus prometheus) {
        var running = EnumSet.complementOf(EnumSet.of(DemoCause.END));
        var provoked = alerts(EnumSet.complementOf(EnumSet.of(DemoCause.CERTIFICATE)));
        // A scrape that comes too late counts as a process that is down.
        await("before their causes")
                .atMost(DATA_WITHIN)
                .untilAsserted(() -> assertThat(prometheus.firing()).doesNotContainAnyElementsOf(provoked));

        running.forEach(cause -> cause.provoke(demo));
        awaitAlerts(prometheus, running);
        DemoCause.END.provoke(demo);
        awaitAlerts(prometheus, EnumSet.of(DemoCause.END));
    }

    private static void awaitAlerts(Prometheus prometheus, Set<DemoCause> causes) {
        await("alerts of " + causes)
                .atMost(DATA_WITHIN)
                .untilAsserted(() -> assertThat(prometheus.firing()).containsAll(alerts(causes)));
    }

    private static Set<String> alerts(Set<DemoCause> causes) {
        return causes.stream().flatMap(cause -> cause.alerts().stream()).collect(Collectors.toSet());
    }

    private static Set<String> queries() throws IOException {
        var queries = new TreeSet<String>();
        targets()
                .forEach(target ->
                        queries.add(Dashboards.filledIn(target.path("expr").asText())));
        assertThat(queries).as("queries of the dashboards").hasSizeGreaterThan(QUERIES_AT_LEAST);
        return queries;
    }

    /** Each metric by itself, as a query may have a value where its metric has none. */
    private static Set<String> metrics() throws IOException {
        var metrics = new TreeSet<String>();
        for (var target : targets()) {
            METRIC.matcher(target.path("expr").asText().replaceAll("\\{[^}]*}", ""))
                    .results()
                    .map(MatchResult::group)
                    .forEach(metrics::add);
        }
        return metrics;
    }

    private static List<JsonNode> targets() throws IOException {
        var targets = new ArrayList<JsonNode>();
        Dashboards.all().values().forEach(dashboard -> targets.addAll(Dashboards.targets(dashboard)));
        return targets;
    }

    /** The series that rules use. Matchers are left out, as a failure that a matcher selects may never happen here. */
    private static Set<String> selectors(List<JsonNode> rules) {
        var selectors = new TreeSet<String>();
        for (var rule : rules) {
            var query = LEFT_OUT.matcher(rule.path("query").asText()).replaceAll("");
            SELECTOR.matcher(query).results().map(MatchResult::group).forEach(selectors::add);
        }
        return selectors;
    }
}
