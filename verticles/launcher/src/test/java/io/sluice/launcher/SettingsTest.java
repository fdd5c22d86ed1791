package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.launcher.config.Settings;
import io.sluice.launcher.config.SluiceConfig;
import io.sluice.launcher.core.Role;
import io.sluice.shell.config.ConfigException;
import io.sluice.shell.config.ConfigKeys;
import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class SettingsTest {
    /** Each module's tests run with its own directory as the working directory. */
    private static final Path CONFIG = Path.of("..", "..", "config");

    private static final Path OVERLAYS = Path.of("..", "..", "deploy", "overlays");
    private static final Path COMPONENTS = Path.of("..", "..", "deploy", "components");
    private static final Pattern VARIABLE = Pattern.compile("\\{name: (SLUICE_\\w+), value: \"?([^\"}]+)\"?}");

    @Test
    void readsEveryConfigThatIsShipped() throws IOException {
        try (var files = Files.list(CONFIG)) {
            var shipped =
                    files.filter(file -> file.toString().endsWith(".yaml")).toList();
            assertThat(shipped)
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(
                                    Settings.read(new ConfigSources(YamlText.read(file), Map.of(), Map.of()))
                                            .config())
                            .isNotNull());
        }
    }

    @Test
    void readsTheConfigOfEveryOverlayAsItsPodsWould() {
        var pods = Map.of(
                "scheduler", Map.of("SLUICE_HAZELCAST_HOST", "10.0.0.1"),
                "agent", Map.of("SLUICE_AGENT_NODE", "node-a"),
                "all-in-one", Map.<String, String>of());

        assertThat(pods).allSatisfy((overlay, variables) -> {
            var file = OVERLAYS.resolve(overlay).resolve("sluice.yaml");
            assertThat(Settings.read(ProcessConfigSources.of(YamlText.read(file), variables, Map.of()))
                            .config())
                    .isNotNull();
        });
    }

    @Test
    void readsWhatTheComponentForIdentityChanges() throws IOException {
        var scheduler = withIdentity("scheduler", Map.of("SLUICE_HAZELCAST_HOST", "10.0.0.1"));
        var agent = withIdentity("agent", Map.of("SLUICE_AGENT_NODE", "node-a"));

        assertThat(scheduler.gateway().agent().tokenReview().enabled()).isTrue();
        assertThat(scheduler.gateway().agent().insecure()).isFalse();
        assertThat(agent.agent().scheduler().tls().enabled()).isTrue();
        assertThat(agent.agent().scheduler().tokenFile()).isNotBlank();
    }

    private static SluiceConfig withIdentity(String overlay, Map<String, String> ofItsPod) throws IOException {
        return read(
                OVERLAYS.resolve(overlay).resolve("sluice.yaml"),
                COMPONENTS.resolve("identity").resolve(overlay + ".yaml"),
                ofItsPod);
    }

    /** Both processes find each other by the same variables, and one alone has the ledger. */
    @Test
    void readsWhatTheComponentForNodeAgentsHas() throws IOException {
        var folder = COMPONENTS.resolve("node-agent");
        var agent = read(
                folder.resolve("sluice.yaml"),
                folder.resolve("member.yaml"),
                Map.of("SLUICE_HAZELCAST_HOST", "10.0.0.1", "SLUICE_PODS_NODE_AGENT_NODE", "node-a"));
        var scheduler = read(
                OVERLAYS.resolve("all-in-one").resolve("sluice.yaml"),
                folder.resolve("member.yaml"),
                Map.of("SLUICE_HAZELCAST_HOST", "10.0.0.2", "SLUICE_ROLES", "all,pods"));

        assertThat(agent.roleSet()).containsExactly(Role.NODE_AGENT);
        assertThat(agent.pods().nodeAgent().node()).isEqualTo("node-a");
        assertThat(agent.hazelcast().clustered()).isTrue();
        assertThat(scheduler.hazelcast().service()).isEqualTo(agent.hazelcast().service());
        assertThat(scheduler.hazelcast().keepTogether()).isFalse();
    }

    private static SluiceConfig read(Path file, Path withVariables, Map<String, String> ofItsPod) throws IOException {
        var variables = new HashMap<>(ofItsPod);
        VARIABLE.matcher(Files.readString(withVariables))
                .results()
                .forEach(found -> variables.put(found.group(1), found.group(2)));
        return Settings.read(ProcessConfigSources.of(YamlText.read(file), variables, Map.of()))
                .config();
    }

    @Test
    void runsEverythingAndTheLabInTheDemo() {
        var demo = Settings.read(new ConfigSources(YamlText.read(CONFIG.resolve("demo.yaml")), Map.of(), Map.of()));

        assertThat(demo.config().roleSet()).contains(Role.LEDGER, Role.AGENT, Role.LAB);
        assertThat(demo.lab()).isPresent();
    }

    @Test
    void runsEverythingButTheLabWithoutAnyKey() {
        var settings = read("");

        assertThat(settings.config()).isEqualTo(SluiceConfig.DEFAULTS);
        assertThat(settings.config().roleSet()).doesNotContain(Role.LAB);
        assertThat(settings.lab()).isEmpty();
    }

    @Test
    void takesTheVariableThatNamesAListenerForNoKey() {
        var environment = Map.of("SLUICE_URL", "http://127.0.0.1:8080", "SLUICE_JAVA_OPTS", "-Xmx1g");

        assertThat(Settings.read(ProcessConfigSources.of(YamlText.parse("", "test.yaml"), environment, Map.of()))
                        .config())
                .isEqualTo(SluiceConfig.DEFAULTS);
    }

    @Test
    void refusesALabThatNoRoleNames() {
        assertThat(errors("lab: {day: 30s}")).containsExactly("the section lab is given, but roles does not name lab.");
    }

    @Test
    void reportsEverythingThatIsWrongAtOnceTheLabIncluded() {
        var errors = errors("""
            roles: [lab, worker]
            ledger: {watermark: 2}
            gateway: {ops: {host: 0.0.0.0}}
            lab: {dya: 30s}
            """);

        assertThat(errors).anyMatch(error -> error.contains("roles names \"worker\""));
        assertThat(errors).anyMatch(error -> error.contains("ledger.watermark"));
        assertThat(errors).anyMatch(error -> error.contains("gateway.ops.insecure"));
        assertThat(errors).contains("lab.dya is no config key; did you mean lab.day?");
    }

    @Test
    void refusesPermitsThatOutliveWhatTheLedgerCountsOn() {
        assertThat(errors("ledger: {permitValidFor: 9s}"))
                .singleElement()
                .asString()
                .contains("agent.permitValidFor=10s", "ledger.permitValidFor=9s");
        assertThat(errors("{roles: [ledger, placement, vm], placement: {schedulerName: own}}"))
                .singleElement()
                .asString()
                .contains("placement.schedulerName=own", "cluster and vm");
        assertThat(errors("cluster: {reclaimAfter: 10s}"))
                .singleElement()
                .asString()
                .contains("cluster.reclaimAfter=10s", "ledger.permitValidFor=10s");
        assertThat(errors("roles: [node-agent]"))
                .singleElement()
                .asString()
                .contains("pods.nodeAgent.node must be the name");
    }

    @Test
    void hasNoTwoKeysThatOneVariableCouldMean() {
        var plain = new HashSet<String>();

        assertThat(ConfigKeys.of(SluiceConfig.class).paths())
                .isNotEmpty()
                .allSatisfy(path -> assertThat(plain.add(path.replace(".", "").toLowerCase(Locale.ROOT)))
                        .as(path)
                        .isTrue());
    }

    private static Settings read(String file) {
        return Settings.read(new ConfigSources(YamlText.parse(file, "test.yaml"), Map.of(), Map.of()));
    }

    private static List<String> errors(String file) {
        return catchThrowableOfType(ConfigException.class, () -> read(file)).errors();
    }
}
