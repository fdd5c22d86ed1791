package io.sluice.neonvm.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.neonvm.core.ClusterConfig;
import io.sluice.neonvm.patch.VmConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigTest {
    @Test
    void namesTheKeyOfEachValueThatCannotBe() {
        assertThatThrownBy(() -> KubernetesConfig.DEFAULTS.at("ftp://x")).hasMessageContaining("kubernetes.url");
        assertThatThrownBy(() -> KubernetesConfig.DEFAULTS.at("not a url")).hasMessageContaining("kubernetes.url");
        assertThatThrownBy(() -> new KubernetesConfig(
                        "http://x", "", "", Duration.ZERO, Duration.ofMinutes(1), Duration.ofMinutes(2), 1))
                .hasMessageContaining("kubernetes.requestTimeout");
        assertThatThrownBy(() -> new KubernetesConfig(
                        "http://x", "", "", Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofMinutes(2), 0))
                .hasMessageContaining("kubernetes.requestsInFlightMax");
        assertThatThrownBy(() -> cluster(" ", 9100, "/metrics")).hasMessageContaining("cluster.schedulerName");
        assertThatThrownBy(() -> cluster("s", 0, "/metrics")).hasMessageContaining("cluster.metricsPort");
        assertThatThrownBy(() -> cluster("s", 9100, "metrics")).hasMessageContaining("cluster.metricsPath");
        assertThatThrownBy(() -> cluster("s", 9100, "/metrics", "a", " "))
                .hasMessageContaining("cluster.ignoredNamespaces");
    }

    @Test
    void sendsATokenByPlainHttpToThisMachineOnly() {
        for (var elsewhere : List.of("http://10.0.0.1:8080", "http://127.0.0.1.nip.io", "http://api")) {
            assertThatThrownBy(() -> withToken(elsewhere))
                    .hasMessageContaining("kubernetes.url=" + elsewhere)
                    .hasMessageContaining("kubernetes.tokenFile");
            assertThat(KubernetesConfig.DEFAULTS.at(elsewhere).tokenFile()).isEmpty();
        }
        for (var fine : List.of("http://127.0.0.1:8001", "http://localhost:8001", "http://[::1]:8001", "https://api")) {
            assertThat(withToken(fine).tokenFile()).isEqualTo("token");
        }
    }

    private static KubernetesConfig withToken(String url) {
        return new KubernetesConfig(
                url, "token", "", Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofMinutes(2), 1);
    }

    @Test
    void writesToAVmNoMoreThanOnceASecond() {
        assertThatThrownBy(() -> new VmConfig(true, Duration.ofMillis(999), true, false))
                .hasMessage("vm.approvedEvery=999ms must be at least 1s");
    }

    @Test
    void opensAClientThatSendsTheTokenOfItsFileAndNeverRepeatsARequest(@TempDir Path folder) throws IOException {
        var token = Files.writeString(folder.resolve("token"), "secret\n");
        var config = new KubernetesConfig(
                "http://127.0.0.1:1",
                token.toString(),
                "",
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                Duration.ofMinutes(2),
                1);

        try (var client = KubernetesConnection.open(config)) {
            assertThat(client.getConfiguration().getOauthTokenProvider().getToken())
                    .isEqualTo("secret");
            assertThat(client.getConfiguration().getRequestRetryBackoffLimit()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"zone", "=label", "zone=", "1zone=label", "a zone=label", "zone=a b", "node=label"})
    void aLabelOfAMetricHasANameAndALabelOfNodes(String pair) {
        assertThatThrownBy(() -> labelled(pair))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("cluster.nodeMetricLabels must be pairs")
                .hasMessageEndingWith(": " + pair);
    }

    @Test
    void labelsOfMetricsAreFewAndDifferent() {
        assertThatThrownBy(() -> labelled("zone=a", "zone=b")).hasMessageContaining("each name once");
        assertThatThrownBy(() -> labelled(IntStream.rangeClosed(1, 11)
                        .mapToObj(number -> "label" + number + "=x")
                        .toArray(String[]::new)))
                .hasMessage("cluster.nodeMetricLabels must be at most 10 pairs: 11");
        assertThat(labelled("zone=topology.kubernetes.io/zone").nodeMetricLabels())
                .hasSize(1);
    }

    static ClusterConfig labelled(String... pairs) {
        var usual = ClusterConfig.DEFAULTS;
        return new ClusterConfig(
                usual.schedulerName(),
                usual.metricsPort(),
                usual.metricsPath(),
                usual.lfcPort(),
                usual.lfcPath(),
                usual.monitorPort(),
                usual.monitorPath(),
                usual.reclaimAfter(),
                usual.ignoredNamespaces(),
                usual.testingLabels(),
                usual.scalePods(),
                usual.zones(),
                List.of(pairs));
    }

    private static ClusterConfig cluster(String scheduler, int port, String path, String... ignored) {
        return new ClusterConfig(
                scheduler,
                port,
                path,
                9499,
                "/metrics",
                10_301,
                "/monitor",
                Duration.ofSeconds(11),
                List.of(ignored),
                false,
                false,
                false,
                List.of());
    }
}
