package io.sluice.shell.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.shell.Portion;
import io.sluice.shell.Portions;
import io.sluice.shell.config.Sample.Colour;
import io.sluice.shell.config.Sample.Listener;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ConfigReaderTest {
    private static final String WRITTEN_OUT = """
        colours: [dark_blue, Red]
        agent:
          scrapePeriod: 250ms
          retryWait: 1m30s
          share: 0.5
          computeUnit: {cpu: 500m, memory: 2Gi}
          colour: Dark_Blue
        gateway:
          health: {host: "::1", port: 0, bytesMax: 8, insecure: true}
          listeners:
            - {port: 1}
            - {host: a}
          names: [x, y]
        reserve: {cpu: 12.5%, memory: 1Gi}
        """;

    @Test
    void takesTheDefaultsWhereNothingIsSet() {
        assertThat(read("", Map.of(), Map.of())).isEqualTo(Sample.DEFAULTS);
        assertThat(read("agent:\ngateway: {}\n", Map.of(), Map.of())).isEqualTo(Sample.DEFAULTS);
    }

    @Test
    void bindsEveryShapeFromTheFile() {
        assertThat(read(WRITTEN_OUT, Map.of(), Map.of()))
                .isEqualTo(new Sample(
                        List.of(Colour.DARK_BLUE, Colour.RED),
                        new Sample.Agent(
                                Duration.ofMillis(250),
                                Duration.ofSeconds(90),
                                0.5,
                                new Resources(500, 2L << 30),
                                Colour.DARK_BLUE),
                        new Sample.Gateway(
                                new Listener("::1", 0, 8, true),
                                List.of(
                                        new Listener("127.0.0.1", 1, 1L << 20, false),
                                        new Listener("a", 9100, 1L << 20, false)),
                                List.of("x", "y")),
                        new Portions(new Portion.Share(125_000), new Portion.Amount(1L << 30))));
    }

    @Test
    void laysEnvironmentOverFileAndPropertiesOverBoth() {
        var file = "agent: {scrapePeriod: 1s, retryWait: 20s, share: 0.1}\n";
        var environment = Map.of("SLUICE_AGENT_SCRAPE_PERIOD", "2s", "SLUICE_AGENT_RETRYWAIT", "30s", "PATH", "x");
        var properties = Map.of("sluice.agent.scrapePeriod", "3s", "java.home", "x");

        var agent = read(file, environment, properties).agent();

        assertThat(agent.scrapePeriod()).isEqualTo(Duration.ofSeconds(3));
        assertThat(agent.retryWait()).isEqualTo(Duration.ofSeconds(30));
        assertThat(agent.share()).isEqualTo(0.1);
    }

    @Test
    void readsEveryShapeOfWordFromTheEnvironment() {
        var sample = read(
                "",
                Map.of(
                        "SLUICE_COLOURS", "red, dark_blue",
                        "SLUICE_GATEWAY_HEALTH_PORT", "1234",
                        "SLUICE_GATEWAY_HEALTH_BYTES_MAX", "77",
                        "SLUICE_GATEWAY_HEALTH_INSECURE", "true",
                        "SLUICE_GATEWAY_NAMES", "",
                        "SLUICE_AGENT_SHARE", "0.25",
                        "SLUICE_AGENT_COMPUTE_UNIT_CPU", "2"),
                Map.of());

        assertThat(sample.colours()).containsExactly(Colour.RED, Colour.DARK_BLUE);
        assertThat(sample.gateway().health()).isEqualTo(new Listener("127.0.0.1", 1234, 77, true));
        assertThat(sample.gateway().names()).isEmpty();
        assertThat(sample.agent().share()).isEqualTo(0.25);
        assertThat(sample.agent().computeUnit()).isEqualTo(new Resources(2000, 1L << 30));
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                Arguments.of(
                        "agent: {scrapePeriode: 1s}",
                        "agent.scrapePeriode is no config key; did you mean agent.scrapePeriod?"),
                Arguments.of(
                        "agent: {ocmputeUnit: {}}",
                        "agent.ocmputeUnit is no config key; did you mean agent.computeUnit?"),
                Arguments.of("agnet: {}", "agnet is no config key; did you mean agent?"),
                Arguments.of(
                        "zzzzzzzzzz: 1", "zzzzzzzzzz is no config key; known here: colours, agent, gateway, reserve."),
                Arguments.of(
                        "agent: {computeUnit: {cpus: 1}}",
                        "agent.computeUnit.cpus is no config key; did you mean agent.computeUnit.cpu?"),
                Arguments.of(
                        "gateway: {listeners: [{}, {prot: 1}]}",
                        "gateway.listeners[1].prot is no config key; did you mean gateway.listeners[1].port?"),
                Arguments.of(
                        "agent: {scrapePeriod: 5}",
                        "agent.scrapePeriod must be a duration with its unit, such as 250ms, 5s, 10m or 1h, not the"
                                + " number 5."),
                Arguments.of(
                        "agent: {scrapePeriod: -5s}",
                        "agent.scrapePeriod must be a duration with its unit, such as 250ms, 5s, 10m or 1h, not"
                                + " \"-5s\"."),
                Arguments.of(
                        "agent: {scrapePeriod: }",
                        "agent.scrapePeriod must be a duration with its unit, such as 250ms, 5s, 10m or 1h, not"
                                + " nothing."),
                Arguments.of("agent: {colour: green}", "agent.colour must be one of red, dark_blue, not \"green\"."),
                Arguments.of("colours: [green]", "colours[0] must be one of red, dark_blue, not \"green\"."),
                Arguments.of("colours: red", "colours must be a list, not \"red\"."),
                Arguments.of("agent: 7", "agent must be a section of keys, not the number 7."),
                Arguments.of("agent: {share: much}", "agent.share must be a number, not \"much\"."),
                Arguments.of(
                        "reserve: {cpu: 120%}",
                        "reserve.cpu must be an amount of CPU, such as 250m or 2, or a share, such as 20% (a share is"
                                + " from 0% to 100%), not \"120%\"."),
                Arguments.of(
                        "reserve: {memory: -1Gi}",
                        "reserve.memory must be an amount of memory, such as 512Mi or 4Gi, or a share, such as 10% (a"
                                + " quantity is never negative here: -1Gi), not \"-1Gi\"."),
                Arguments.of(
                        "reserve: {cpu: -5%}",
                        "reserve.cpu must be an amount of CPU, such as 250m or 2, or a share, such as 20% (a share is a"
                                + " number of at most 4 decimal places, then %: -5%), not \"-5%\"."),
                Arguments.of(
                        "reserve: {cpu: 500m+10%}",
                        "reserve.cpu must be an amount of CPU, such as 250m or 2, or a share, such as 20% (a share is a"
                                + " number of at most 4 decimal places, then %: 500m+10%), not \"500m+10%\"."),
                Arguments.of("reserve: {gpu: 1}", "reserve.gpu is no config key; did you mean reserve.cpu?"),
                Arguments.of("agent: {share: .nan}", "sample.yaml, line 1, column 20: Malformed numeric value '.nan'."),
                Arguments.of(
                        "gateway: {health: {port: 1.5}}",
                        "gateway.health.port must be a whole number of at most 32 bits, not the number 1.5."),
                Arguments.of(
                        "gateway: {health: {port: 4294967296}}",
                        "gateway.health.port must be a whole number of at most 32 bits, not the number 4294967296."),
                Arguments.of(
                        "gateway: {health: {insecure: yes}}",
                        "gateway.health.insecure must be true or false, not \"yes\"."),
                Arguments.of(
                        "gateway: {health: {host: 5}}",
                        "gateway.health.host must be text, in quotes if it looks like a number or like true, not the"
                                + " number 5."),
                Arguments.of(
                        "gateway: {health: {port: 70000}}", "gateway.health: port=70000 must be between 0 and 65535"),
                Arguments.of("agent: {retryWait: 1s}", "agent.retryWait=1s must exceed agent.scrapePeriod=5s"),
                Arguments.of(
                        "agent: {computeUnit: {memory: -1Gi}}",
                        "agent.computeUnit.memory must be an amount of memory, such as 512Mi or 4Gi (a quantity is"
                                + " never negative here: -1Gi), not \"-1Gi\"."));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void reportsOfAMistakeWhereItIsWhatWasFoundAndWhatIsAllowed(String file, String sentence) {
        assertThat(errors(file, Map.of(), Map.of())).containsExactly(sentence);
    }

    @Test
    void reportsTheMistakesOfAllSourcesAtOnce() {
        var file = """
            agent: {scrapePeriod: soon, colour: green}
            gateway: {health: {port: 70000}, listeners: [{port: -1}]}
            """;

        var errors = errors(file, Map.of("SLUICE_AGENT_SHARE", "much"), Map.of("sluice.agent.retryWiat", "1s"));

        assertThat(errors)
                .containsExactly(
                        "-Dsluice.agent.retryWiat names no config key; did you mean -Dsluice.agent.retryWait?",
                        "agent.scrapePeriod must be a duration with its unit, such as 250ms, 5s, 10m or 1h, not"
                                + " \"soon\".",
                        "agent.share must be a number, not \"much\" (from SLUICE_AGENT_SHARE).",
                        "agent.colour must be one of red, dark_blue, not \"green\".",
                        "gateway.health: port=70000 must be between 0 and 65535",
                        "gateway.listeners[0]: port=-1 must be between 0 and 65535");
    }

    @Test
    void quotesLittleOfANameThatIsNoKey() {
        var name = "x".repeat(10_000);
        assertThat(errors("", Map.of("SLUICE_" + name, "1s"), Map.of("sluice." + name, "1s")))
                .hasSize(2)
                .allSatisfy(error ->
                        assertThat(error).contains("xxx... names no config key").hasSizeLessThan(200));
    }

    @Test
    void refusesAVariableThatNamesNoKeyUnlessItIsReserved() {
        assertThat(errors("", Map.of("SLUICE_AGENT_SCRAP_PERIOD", "1s"), Map.of()))
                .containsExactly("the environment variable SLUICE_AGENT_SCRAP_PERIOD names no config key;"
                        + " did you mean SLUICE_AGENT_SCRAPE_PERIOD?");
        assertThat(read("", Map.of("SLUICE_HOME", "/opt/sluice"), Map.of("sluice.home", "x")))
                .isEqualTo(Sample.DEFAULTS);
    }

    @Test
    void laysVariablesIntoASectionThatTheFileLeavesEmpty() {
        assertThat(read("agent:\n", Map.of("SLUICE_AGENT_SHARE", "0.5"), Map.of())
                        .agent()
                        .share())
                .isEqualTo(0.5);
    }

    @Test
    void overlooksWhatKubernetesSetsForAServiceOfOurName() {
        var links = Map.of(
                "SLUICE_SERVICE_HOST", "10.0.0.1",
                "SLUICE_AGENT_SERVICE_PORT_HTTP", "10299",
                "SLUICE_PORT", "tcp://10.0.0.1:10299",
                "SLUICE_PORT_10299_TCP_ADDR", "10.0.0.1");

        assertThat(read("", links, Map.of())).isEqualTo(Sample.DEFAULTS);
        assertThat(errors("", Map.of("SLUICE_PORT", "10299"), Map.of())).hasSize(1);
    }

    @Test
    void leavesListsOfSectionsToTheFile() {
        assertThat(errors("", Map.of(), Map.of("sluice.gateway.listeners", "a,b")))
                .containsExactly("gateway.listeners is a list of sections, which only the file can set, not"
                        + " -Dsluice.gateway.listeners.");
    }

    @Test
    void splitsOffWhatTheSourcesSetInOneSection() {
        var sources = new ConfigSources(
                YamlText.parse("agent: {share: 0.1}\ngateway: {names: [a]}\n", "x.yaml"),
                Map.of("SLUICE_AGENT_SHARE", "0.2", "SLUICE_COLOURS", "red", "PATH", "x"),
                Map.of("sluice.agent.share", "0.3", "sluice.gateway.names", "b"));

        assertThat(sources.only("agent"))
                .isEqualTo(new ConfigSources(
                        YamlText.parse("agent: {share: 0.1}", "x.yaml"),
                        Map.of("SLUICE_AGENT_SHARE", "0.2"),
                        Map.of("sluice.agent.share", "0.3")));
        assertThat(sources.without("agent"))
                .isEqualTo(new ConfigSources(
                        YamlText.parse("gateway: {names: [a]}", "x.yaml"),
                        Map.of("SLUICE_COLOURS", "red"),
                        Map.of("sluice.gateway.names", "b")));
        assertThat(sources.only("cluster").isEmpty()).isTrue();
    }

    @Test
    void namesEveryKeyAndNoTwoAlike() {
        var paths = ConfigKeys.of(Sample.class).paths();

        assertThat(paths)
                .contains(
                        "colours",
                        "agent.computeUnit.cpu",
                        "gateway.health.bytesMax",
                        "gateway.listeners",
                        "reserve.cpu")
                .hasSize(15);
        assertThat(paths.stream().map(ConfigKeys::plain).distinct()).hasSameSizeAs(paths);
        assertThat(ConfigReader.variableOf("gateway.health.bytesMax")).isEqualTo("SLUICE_GATEWAY_HEALTH_BYTES_MAX");
    }

    private static Sample read(String file, Map<String, String> environment, Map<String, String> properties) {
        var sources = new ConfigSources(YamlText.parse(file, "sample.yaml"), environment, properties)
                .reserving(Set.of("SLUICE_HOME", "sluice.home"));
        return ConfigReader.read(Sample.class, Sample.DEFAULTS, sources);
    }

    private static List<String> errors(String file, Map<String, String> environment, Map<String, String> properties) {
        return catchThrowableOfType(ConfigException.class, () -> read(file, environment, properties))
                .errors();
    }
}
