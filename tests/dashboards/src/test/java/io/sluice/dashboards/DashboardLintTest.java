package io.sluice.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What every dashboard has, so that each can be read like the others. */
class DashboardLintTest {
    private static final String DATASOURCE = "${datasource}";
    private static final int COLUMNS = 24;
    private static final Pattern RECORDED = Pattern.compile("histogram_quantile\\([0-9.]+, (?!sluice:)");
    private static final Pattern RECORD = Pattern.compile("- record: (\\S+)");
    private static final Pattern RECORDED_NAME = Pattern.compile("\\bsluice:[a-z0-9_:]+");
    private static final Pattern JOB = Pattern.compile("\\bjob=~\"([^\"]+)\"");
    private static final Pattern VARIABLE = Pattern.compile("\\$\\{?([a-z]+)}?");

    private final Map<String, JsonNode> dashboards = Dashboards.all();

    DashboardLintTest() throws IOException {}

    @Test
    void everyPanelDescribesWhatItShowsAndWhatToDo() {
        dashboards.forEach((uid, dashboard) -> {
            var titles = new ArrayList<String>();
            for (var panel : Dashboards.panels(dashboard)) {
                var title = panel.path("title").asText();
                titles.add(title);
                assertThat(panel.path("description").asText())
                        .as("description of %s in %s", title, uid)
                        .endsWith(".");
                assertThat(panel.at("/fieldConfig/defaults/unit").asText())
                        .as("unit of %s in %s", title, uid)
                        .isNotBlank();
                assertThat(panel.path("targets").size())
                        .as("queries of %s in %s", title, uid)
                        .isPositive();
            }
            assertThat(titles).as(uid).isNotEmpty().doesNotContain("").doesNotHaveDuplicates();
        });
    }

    @Test
    void everyStatHasAColorForWhatIsNotWell() {
        dashboards.forEach((uid, dashboard) -> assertThat(Dashboards.panels(dashboard))
                .filteredOn(panel -> panel.path("type").asText().equals("stat"))
                .as("stats of %s", uid)
                .isNotEmpty()
                .allSatisfy(panel -> assertThat(panel.at("/fieldConfig/defaults/thresholds/steps"))
                        .as("steps of %s", panel.path("title"))
                        .hasSizeGreaterThan(1)));
    }

    @Test
    void everyQueryUsesTheVariableOfTheDataSource() {
        dashboards.forEach((uid, dashboard) -> {
            assertThat(names(dashboard.at("/templating/list"), "name")).as(uid).contains("datasource");
            assertThat(Dashboards.panels(dashboard))
                    .allSatisfy(panel -> assertThat(panel.at("/datasource/uid").asText())
                            .as("%s in %s", panel.path("title"), uid)
                            .isEqualTo(DATASOURCE));
            assertThat(Dashboards.targets(dashboard))
                    .allSatisfy(
                            target -> assertThat(target.at("/datasource/uid").asText())
                                    .as("%s in %s", target.path("expr"), uid)
                                    .isEqualTo(DATASOURCE));
        });
    }

    /**
     * The Prometheus operator takes the job from the label that a PodMonitor names, and else from the monitor's own
     * name.
     */
    @Test
    void everySelectorOfAJobMatchesThatOfThePodMonitor() throws IOException {
        var file = Dashboards.FOLDER.resolveSibling("deploy").resolve("components/pod-monitor/pod-monitor.yaml");
        var monitor = new YAMLMapper().readTree(file.toFile()).path("spec");
        var job = monitor.at("/selector/matchLabels")
                .path(monitor.path("jobLabel").asText())
                .asText();
        var selectors = JOB.matcher(Files.readString(Alerts.FILE))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        assertThat(selectors)
                .isNotEmpty()
                .allSatisfy(selector -> assertThat(job).matches(selector));
    }

    @Test
    void everyVariableIsUsedAndEveryUseIsOfAVariable() {
        dashboards.forEach((uid, dashboard) -> {
            var used = new TreeSet<String>(Set.of("datasource"));
            Dashboards.targets(dashboard).forEach(target -> addVariables(used, target.path("expr")));
            dashboard.path("links").forEach(link -> addVariables(used, link.path("url")));

            assertThat(names(dashboard.at("/templating/list"), "name"))
                    .as("variables of %s", uid)
                    .containsExactlyInAnyOrderElementsOf(used);
        });
    }

    @Test
    void noTwoPanelsHaveOneIdOrOnePlace() {
        dashboards.forEach((uid, dashboard) -> {
            var ids = new ArrayList<Integer>();
            var taken = new HashMap<List<Integer>, String>();
            for (var panel : dashboard.path("panels")) {
                ids.add(panel.path("id").asInt());
                var at = panel.path("gridPos");
                assertThat(at.path("x").asInt() + at.path("w").asInt()).isLessThanOrEqualTo(COLUMNS);
                for (int x = 0; x < at.path("w").asInt(); x++) {
                    for (int y = 0; y < at.path("h").asInt(); y++) {
                        var cell =
                                List.of(at.path("x").asInt() + x, at.path("y").asInt() + y);
                        var title = panel.path("title").asText();
                        assertThat(taken.put(cell, title))
                                .as("what lies below %s in %s", title, uid)
                                .isNull();
                    }
                }
            }
            assertThat(ids).as("ids of %s", uid).isNotEmpty().doesNotContain(0).doesNotHaveDuplicates();
        });
    }

    @Test
    void theOverviewLeadsToEachPartAndEachPartBackAndToTheConsole() throws IOException {
        var parts = Part.all().keySet();
        var overview = dashboards.get(PartJson.OVERVIEW);

        assertThat(names(overview.path("links"), "url"))
                .containsExactlyElementsOf(
                        parts.stream().map(uid -> "/d/" + uid).toList());
        assertThat(parts)
                .allSatisfy(uid -> assertThat(names(dashboards.get(uid).path("links"), "url"))
                        .hasSize(2)
                        .contains("/d/" + PartJson.OVERVIEW)
                        .anyMatch(url -> url.startsWith("${console}/#/")));
        assertThat(dashboards.keySet()).containsAll(parts).hasSize(parts.size() + 1);
    }

    /** Buckets are many series: the parts read them as recorded. */
    @Test
    void theQuantilesOfThePartsAreOfRecordedHistograms() throws IOException {
        for (var uid : Part.all().keySet()) {
            assertThat(Dashboards.targets(dashboards.get(uid)))
                    .allSatisfy(target ->
                            assertThat(target.path("expr").asText()).as(uid).doesNotContainPattern(RECORDED));
        }
    }

    @Test
    void whatIsRecordedIsReadAndWhatIsReadIsRecorded() throws IOException {
        var recorded = RECORD.matcher(Files.readString(Dashboards.FOLDER.resolve("recording.yaml")))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        var read = new TreeSet<String>();
        dashboards
                .values()
                .forEach(dashboard -> Dashboards.targets(dashboard)
                        .forEach(target -> RECORDED_NAME
                                .matcher(target.path("expr").asText())
                                .results()
                                .forEach(found -> read.add(found.group()))));

        assertThat(read).isEqualTo(recorded);
    }

    private static void addVariables(Set<String> used, JsonNode text) {
        VARIABLE.matcher(text.asText().replaceAll("\\$__[a-z_]+", ""))
                .results()
                .forEach(found -> used.add(found.group(1)));
    }

    private static List<String> names(JsonNode items, String field) {
        var names = new ArrayList<String>();
        items.forEach(item -> names.add(item.path(field).asText()));
        return names;
    }
}
