package io.sluice.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.gateway.core.identity.AgentNodes;
import io.sluice.gateway.listener.ConsoleListenerConfig;
import io.sluice.gateway.listener.ListenerConfig;
import io.sluice.gateway.listener.TlsFiles;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.shell.config.ConfigException;
import io.sluice.shell.config.ConfigReader;
import io.sluice.shell.config.ConfigSources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GatewayConfigTest {
    private static final GatewayConfig ALL = GatewayConfig.DEFAULTS;
    private static final Shell SHELL =
            new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
    private static final TlsFiles TLS = new TlsFiles("/cert.pem", "/key.pem");

    static Stream<Arguments> listeners() {
        return Stream.of(
                Arguments.of(
                        "gateway.agent",
                        built(listener -> ListenerFixture.with(ALL.agent().through(listener)))),
                Arguments.of(
                        "gateway.ops",
                        built(listener -> new GatewayConfig(
                                ALL.agent(), listener, ALL.vmMetrics(), ALL.dump(), ALL.extender(), ALL.console()))),
                Arguments.of(
                        "gateway.vmMetrics",
                        built(listener -> new GatewayConfig(
                                ALL.agent(), ALL.ops(), listener, ALL.dump(), ALL.extender(), ALL.console()))),
                Arguments.of(
                        "gateway.dump",
                        built(listener -> new GatewayConfig(
                                ALL.agent(), ALL.ops(), ALL.vmMetrics(), listener, ALL.extender(), ALL.console()))),
                Arguments.of(
                        "gateway.extender",
                        built(listener -> new GatewayConfig(
                                ALL.agent(), ALL.ops(), ALL.vmMetrics(), ALL.dump(), listener, ALL.console()))),
                Arguments.of(
                        "gateway.console",
                        built(listener -> new GatewayConfig(
                                ALL.agent(),
                                ALL.ops(),
                                ALL.vmMetrics(),
                                ALL.dump(),
                                ALL.extender(),
                                console(listener)))));
    }

    @Test
    void listensOnLoopbackAtTheUsualPorts() {
        assertThat(List.of(
                        ALL.agent().listener(),
                        ALL.ops(),
                        ALL.vmMetrics(),
                        ALL.dump(),
                        ALL.extender(),
                        ALL.console().listener()))
                .allMatch(listener -> listener.host().equals("127.0.0.1"))
                .extracting(ListenerConfig::port)
                .containsExactly(10299, 9100, 9101, 10300, 10297, 8080);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("listeners")
    void takesLoopbackAsItIs(String section, Function<ListenerConfig, GatewayConfig> config) {
        Stream.of("127.0.0.1", "127.255.3.9", "::1", "0:0:0:0:0:0:0:1", "localhost", "LOCALHOST")
                .forEach(host -> assertThatCode(() -> config.apply(at(host, false, TlsFiles.NONE, "")))
                        .as(host)
                        .doesNotThrowAnyException());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("listeners")
    void refusesMoreThanLoopbackUnguardedAndNamesTheKeys(
            String section, Function<ListenerConfig, GatewayConfig> config) {
        Stream.of("0.0.0.0", "::", "10.0.0.1", "example.org", "127.0.0.1.example.org", "127.0.0.256", "127.1")
                .forEach(host -> {
                    assertThatThrownBy(() -> config.apply(at(host, false, TlsFiles.NONE, "")))
                            .as(host)
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageContaining(section + ".host=" + host)
                            .hasMessageContaining(section + ".tls")
                            .hasMessageContaining(section + ".tokenFile")
                            .hasMessageContaining(section + ".insecure: true");
                    assertThatCode(() -> config.apply(at(host, false, new TlsFiles("/c", "/k", "/ca"), "")))
                            .doesNotThrowAnyException();
                    assertThatCode(() -> config.apply(at(host, true, TlsFiles.NONE, "")))
                            .doesNotThrowAnyException();
                    assertThatCode(() -> config.apply(at(host, false, TLS, "/tokens")))
                            .doesNotThrowAnyException();
                });
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("listeners")
    void halfAGuardIsNone(String section, Function<ListenerConfig, GatewayConfig> config) {
        assertThatThrownBy(() -> config.apply(at("0.0.0.0", false, TLS, "")))
                .hasMessageContaining("no credential (" + section + ".tokenFile or " + section + ".tls.clientCa)");
        assertThatThrownBy(() -> config.apply(at("0.0.0.0", false, TlsFiles.NONE, "/tokens")))
                .hasMessageContaining("no TLS (" + section + ".tls)");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("listeners")
    void namesAPortThatIsNone(String section, Function<ListenerConfig, GatewayConfig> config) {
        for (int port : new int[] {-1, 65_536}) {
            assertThatThrownBy(() -> config.apply(ListenerConfig.loopback(port)))
                    .hasMessageContaining(section + ".port=" + port);
        }
        assertThatThrownBy(() -> config.apply(at(" ", true, TLS, "/tokens"))).hasMessageContaining(section + ".host");
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0", "::"})
    void refusesTwoListenersAtOnePlace(String host) {
        var ops = at(host, true, TlsFiles.NONE, "").at(10299);
        assertThatThrownBy(() ->
                        new GatewayConfig(ALL.agent(), ops, ALL.vmMetrics(), ALL.dump(), ALL.extender(), ALL.console()))
                .hasMessage("gateway.agent.port=10299 and gateway.ops.port must differ on the same host");
    }

    @Test
    void anyNumberOfListenersMayTakeAFreePort() {
        assertThat(ALL.atPorts((host, port) -> 0).dump().port()).isZero();
        assertThat(ALL.atPorts((host, port) -> port + 1).console().port()).isEqualTo(8081);
    }

    @Test
    void twoListenersDoNotChooseTheSameFreePort() {
        var chosen = ALL.atPorts((host, port) -> port == 9100 || port == 9101 ? 9102 : port);
        assertThat(chosen.ops().port()).isEqualTo(9102);
        assertThat(chosen.vmMetrics().port()).isEqualTo(9103);
    }

    @Test
    void isReadFromAFileWithEveryMistakeNamed() throws Exception {
        var read = read("""
            {"ops": {"host": "0.0.0.0", "tls": {"cert": "/c.pem", "key": "/k.pem"}, "tokenFile": "/tokens"},
             "console": {"port": 8090, "names": ["console.example.org"]}}
            """);
        assertThat(read.ops())
                .isEqualTo(new ListenerConfig("0.0.0.0", 9100, false, new TlsFiles("/c.pem", "/k.pem"), "/tokens"));
        assertThat(read.console().names()).containsExactly("console.example.org");
        assertThatThrownBy(() -> read("""
            {"dump": {"tls": {"cert": "/c.pem"}}, "agent": {"host": "0.0.0.0"}}
            """))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("dump.tls: tls.cert is given without tls.key")
                .hasMessageContaining("gateway.agent.host=0.0.0.0");
    }

    private static GatewayConfig read(String json) throws JsonProcessingException {
        var file = (ObjectNode) new ObjectMapper().readTree(json);
        return ConfigReader.read(GatewayConfig.class, ALL, new ConfigSources(file, Map.of(), Map.of()));
    }

    @Test
    void namesWhatElseIsWrong() {
        assertThatThrownBy(() -> new TlsFiles("/cert", ""))
                .hasMessageContaining("tls.cert")
                .hasMessageContaining("tls.key");
        assertThatThrownBy(() -> new TlsFiles("", "/key"))
                .hasMessageContaining("tls.cert")
                .hasMessageContaining("tls.key");
        assertThatThrownBy(() -> new TlsFiles("", "", "/ca"))
                .hasMessageContaining("tls.clientCa")
                .hasMessageContaining("tls.cert");
        assertThatThrownBy(() -> agent(0, Duration.ofSeconds(1))).hasMessageContaining("gateway.agent.ratePerPod=0");
        assertThatThrownBy(() -> agent(1, Duration.ZERO)).hasMessageContaining("gateway.agent.waitMax=0s");
    }

    @Test
    void reviewedTokensGuardTheAgentListenerLikeSharedOnes() {
        assertThatThrownBy(() -> reviewed("0.0.0.0", TlsFiles.NONE, ""))
                .hasMessageContaining("no TLS (gateway.agent.tls)");
        assertThatCode(() -> reviewed("0.0.0.0", TLS, "")).doesNotThrowAnyException();
        assertThatCode(() -> reviewed("127.0.0.1", TlsFiles.NONE, "")).doesNotThrowAnyException();
        assertThatThrownBy(() -> reviewed("127.0.0.1", TLS, "/tokens"))
                .hasMessageContaining(
                        "gateway.agent.tokenFile must not be given with gateway.agent.tokenReview.enabled");
    }

    @Test
    void namesWhatIsWrongWithReviews() {
        assertThatThrownBy(() -> review(" ", List.of("kube-system:agent")))
                .hasMessageContaining("gateway.agent.tokenReview.audience");
        assertThatThrownBy(() -> review("sluice", List.of()))
                .hasMessageContaining("serviceAccounts must name at least one");
        for (var account :
                List.of("agent", "kube-system/agent", "system:serviceaccount:kube-system:agent", "A:b", ":b")) {
            assertThatThrownBy(() -> review("sluice", List.of("kube-system:agent", account)))
                    .as(account)
                    .hasMessageContaining("serviceAccounts: " + account + " must be written as namespace:name");
        }
        assertThatThrownBy(() -> new GatewayVerticle(
                        ListenerFixture.with(ListenerFixture.limits(1, 1, 1, review("sluice", List.of("a:b")))), SHELL))
                .hasMessageContaining("gateway.agent.tokenReview.enabled");
    }

    @Test
    void readsReviewsFromAFile() throws Exception {
        assertThat(read("""
            {"agent": {"tokenReview": {"enabled": true, "serviceAccounts": ["vms:agent"], "nodes": "claimed"}}}
            """).agent().tokenReview())
                .isEqualTo(new TokenReviewConfig(true, "sluice", List.of("vms:agent"), AgentNodes.CLAIMED));
    }

    private static TokenReviewConfig review(String audience, List<String> accounts) {
        return new TokenReviewConfig(true, audience, accounts, AgentNodes.OWN);
    }

    private static AgentListenerConfig reviewed(String host, TlsFiles tls, String tokenFile) {
        return ListenerFixture.limits(1, 1, 1, review("sluice", List.of("kube-system:agent")))
                .through(at(host, false, tls, tokenFile));
    }

    private static AgentListenerConfig agent(int rate, Duration waitMax) {
        return new AgentListenerConfig(
                "::1",
                1,
                false,
                TlsFiles.NONE,
                "",
                TokenReviewConfig.DEFAULTS,
                List.of(),
                rate,
                1,
                1,
                1,
                1,
                waitMax,
                Duration.ofSeconds(1));
    }

    private static ConsoleListenerConfig console(ListenerConfig listener) {
        return new ConsoleListenerConfig(
                listener.host(), listener.port(), listener.insecure(), listener.tls(), listener.tokenFile(), List.of());
    }

    private static ListenerConfig at(String host, boolean insecure, TlsFiles tls, String tokenFile) {
        return new ListenerConfig(host, 4711, insecure, tls, tokenFile);
    }

    private static Function<ListenerConfig, GatewayConfig> built(Function<ListenerConfig, GatewayConfig> config) {
        return config;
    }
}
