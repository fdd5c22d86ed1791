package io.sluice.dashboards;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Each alert has a runbook that is true to the product, and is shown firing and not firing. */
class RunbooksTest {
    private static final Path FOLDER = Dashboards.FOLDER.resolve("runbooks");
    private static final Path TABLE = FOLDER.resolve("README.md");
    private static final Path STORIES = Path.of("src", "test", "resources", "alerts-test.yaml");
    private static final Path LAUNCHER = Path.of("..", "..", "verticles", "launcher", "src", "main", "java");
    private static final Path CONFIG = Path.of("..", "..", "config", "reference.md");
    private static final List<String> SECTIONS =
            List.of("## Meaning", "## Where to look", "## What to do", "## What it is not");
    private static final int LINES_MAX = 32;
    private static final Set<String> KUBECTL =
            Set.of("auth", "cordon", "delete", "describe", "exec", "get", "logs", "port-forward");

    /** As NeonVM, cert-manager and Kubernetes name them for kubectl. */
    private static final Set<String> KINDS = Set.of(
            "certificate",
            "lease",
            "neonvm",
            "neonvmm",
            "node",
            "pod",
            "pods",
            "validatingwebhookconfigurations",
            "--raw");

    private static final Set<String> PROBES = Set.of("livez", "readyz?verbose");

    private static final Pattern CODE = Pattern.compile("`([^`]+)`");
    private static final Pattern PANEL = Pattern.compile("[Pp]anel \\*([^*]+)\\*(?: of \\*([^*]+)\\*)?");
    private static final Pattern KEY = Pattern.compile("[a-z][a-zA-Z]+(?:\\.[a-zA-Z]+)+");
    private static final Pattern COMMAND = Pattern.compile("@Command\\(\\s*name = \"([a-z]+)\"");
    private static final Pattern OPTION = Pattern.compile("\"(--[a-z-]+)\"");
    private static final Pattern CURL = Pattern.compile("curl -s '?http://127\\.0\\.0\\.1:9100/([a-z?]+)'?");

    private final Map<String, JsonNode> alerts = Alerts.all();
    private final Map<String, String> runbooks = runbooks();

    RunbooksTest() throws IOException {}

    @Test
    void theTenFailuresHaveTheirSections() throws IOException {
        var page = Files.readString(Path.of("..", "..", "docs", "operating.md"));
        assertThat(OperatorFailure.values()).hasSize(10).allSatisfy(failure -> {
            assertThat(alerts).containsKey(failure.alert());
            assertThat(page).contains("`" + failure.alert() + "`").contains(failure.shown());
        });
    }

    @Test
    void eachAlertNamesItsRunbookAndEachRunbookHasAnAlert() {
        assertThat(runbooks.keySet()).isEqualTo(new TreeSet<>(alerts.keySet()));
        alerts.forEach(
                (name, alert) -> assertThat(alert.at("/annotations/runbook_url").asText())
                        .isEqualTo("dashboards/runbooks/" + name + ".md"));
    }

    @Test
    void eachRunbookIsShortAndHasTheSameParts() {
        runbooks.forEach((name, text) -> {
            assertThat(text).as(name).startsWith("# " + name + "\n\n**");
            assertThat(text).as(name).contains("**" + severity(name) + "**: ");
            assertThat(text.lines().filter(line -> line.startsWith("## ")).toList())
                    .as("parts of %s", name)
                    .isEqualTo(SECTIONS);
            assertThat(text.lines().filter(line -> !line.isBlank())).as(name).hasSizeBetween(10, LINES_MAX);
        });
    }

    @Test
    void thePanelsThatRunbooksNameExist() throws IOException {
        var titles = new HashMap<String, Set<String>>();
        for (var dashboard : Dashboards.all().values()) {
            titles.put(
                    dashboard.path("title").asText(),
                    Dashboards.panels(dashboard).stream()
                            .map(panel -> panel.path("title").asText())
                            .collect(Collectors.toSet()));
        }
        var all = titles.values().stream().flatMap(Set::stream).collect(Collectors.toSet());

        runbooks.forEach((name, text) -> {
            var panels = PANEL.matcher(oneLine(text)).results().toList();
            assertThat(panels)
                    .as("panels of %s", name)
                    .allSatisfy(panel -> assertThat(panel.group(2) == null ? all : titles.get(panel.group(2)))
                            .as("panels of %s", panel.group(2))
                            .contains(panel.group(1)));
        });
        assertThat(runbooks.values())
                .filteredOn(text -> PANEL.matcher(oneLine(text)).find())
                .hasSizeGreaterThan(40);
    }

    @Test
    void theCommandsThatRunbooksNameExist() throws IOException {
        var sources = sources();
        var commands = matches(COMMAND, sources);
        var options = matches(OPTION, sources);
        assertThat(commands).contains("why", "config", "check");

        for (var code : codes()) {
            var words = code.split("[ ']+");
            switch (words[0]) {
                case "sluice" -> {
                    assertThat(commands).as(code).contains(words[1]);
                    assertThat(Arrays.stream(words).filter(word -> word.startsWith("--")))
                            .as(code)
                            .allMatch(options::contains);
                }
                case "kubectl" -> {
                    assertThat(KUBECTL).as(code).contains(words[1]);
                    if (Set.of("delete", "describe", "get").contains(words[1])) {
                        assertThat(KINDS).as(code).contains(words[2]);
                    }
                    if (words[1].equals("auth")) {
                        assertThat(code)
                                .as("whose right; the operator has most")
                                .contains(" --as system:serviceaccount:");
                    }
                }
                case "curl" -> {
                    var path = CURL.matcher(code);
                    assertThat(path.matches()).as(code).isTrue();
                    assertThat(PROBES).as(code).contains(path.group(1));
                }
                default ->
                    assertThat(words[0].startsWith("openssl") || words.length == 1 || code.contains(": "))
                            .as("%s is a command that this test cannot check", code)
                            .isTrue();
            }
        }
    }

    @Test
    void theKeysThatRunbooksNameExist() throws IOException {
        var reference = Files.readString(CONFIG);
        var sections = reference
                .lines()
                .filter(line -> line.startsWith("## "))
                .map(line -> line.substring(3))
                .collect(Collectors.toSet());
        var keys = codes().stream()
                .map(code -> code.replaceFirst(":.*", ""))
                .filter(code -> KEY.matcher(code).matches() && sections.contains(code.substring(0, code.indexOf('.'))))
                .collect(Collectors.toCollection(TreeSet::new));

        assertThat(keys)
                .hasSizeGreaterThan(15)
                .allSatisfy(key -> assertThat(reference).contains("`" + key + "`"));
    }

    /** Each test of {@code promtool} first has the alert silent while its series are there. */
    @Test
    void eachAlertIsShownFiringAndNotFiringBefore() throws IOException {
        var silent = new HashSet<String>();
        var shown = new TreeSet<String>();
        for (var test : new YAMLMapper().readTree(STORIES.toFile()).path("tests")) {
            for (var step : test.path("alert_rule_test")) {
                var name = step.path("alertname").asText();
                if (step.path("exp_alerts").isEmpty()) {
                    silent.add(name);
                } else if (silent.contains(name)) {
                    shown.add(name);
                }
            }
        }

        assertThat(shown).isEqualTo(new TreeSet<>(alerts.keySet()));
    }

    @Test
    void theTableNamesWhatShowsEachAlert() throws IOException {
        var table = table();
        if (Boolean.getBoolean("reference.write")) {
            Files.writeString(TABLE, table);
        }

        assertThat(TABLE)
                .content()
                .as("with -Dreference.write=true this test writes it anew")
                .isEqualTo(table);
    }

    private String table() {
        var page = new StringBuilder("""
            # Runbooks

            Each alert has a runbook: what it means, where to look, what to do, and what it is not. `RunbooksTest` writes this
            page with `-Dreference.write=true`, and checks that panels, commands and config keys of runbooks exist.

            `promtool` shows each alert firing on made-up series and not before (`alerts-test.yaml`). Some also fire in the
            demo by their cause (`DashboardsTest`), with no time for which the condition must last.

            In commands NAMESPACE is that of the object, for Sluice `kube-system` where nothing else is set. ACCOUNT is Sluice's
            service account: `sluice` (all-in-one), `sluice-scheduler` or `sluice-agent`.

            | alert | severity | fires | by its cause in the demo |
            |---|---|---|---|
            """);
        alerts.forEach((name, alert) -> page.append("| [%s](%s.md) | %s | %s | %s |%n"
                .formatted(
                        name,
                        name,
                        severity(name),
                        condition(name),
                        Arrays.stream(DemoCause.values())
                                .filter(cause -> cause.alerts().contains(name))
                                .map(DemoCause::text)
                                .collect(Collectors.joining()))));
        return page.toString();
    }

    /** What the runbook begins with, and the time for which the condition must last. */
    private String condition(String alert) {
        return runbooks.get(alert).split("\n\n")[1].replaceFirst(".*?: ", "").replace('\n', ' ');
    }

    private String severity(String alert) {
        return alerts.get(alert).at("/labels/severity").asText();
    }

    private List<String> codes() {
        var codes = new ArrayList<String>();
        runbooks.values()
                .forEach(text -> CODE.matcher(oneLine(text)).results().forEach(code -> codes.add(code.group(1))));
        return codes;
    }

    private static String oneLine(String text) {
        return text.replaceAll("\\n *", " ");
    }

    private static Set<String> matches(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).collect(Collectors.toSet());
    }

    private static String sources() throws IOException {
        var text = new StringBuilder();
        try (var files = Files.walk(LAUNCHER)) {
            for (var file :
                    files.filter(file -> file.toString().endsWith(".java")).toList()) {
                text.append(Files.readString(file));
            }
        }
        return text.toString();
    }

    private static Map<String, String> runbooks() throws IOException {
        var runbooks = new TreeMap<String, String>();
        try (var files = Files.newDirectoryStream(FOLDER, "Sluice*.md")) {
            for (var file : files) {
                runbooks.put(file.getFileName().toString().replace(".md", ""), Files.readString(file));
            }
        }
        return runbooks;
    }
}
