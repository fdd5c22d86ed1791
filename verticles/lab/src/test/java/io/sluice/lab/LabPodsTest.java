package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.api.RawApi;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.junit5.VertxExtension;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The ordinary pod of the demo's fleet, and its kubelet. */
@ExtendWith(VertxExtension.class)
class LabPodsTest {
    private static final String POD = LabPaths.pod("redis-0");
    private static final Pattern CPU_SECONDS = Pattern.compile(
            "container_cpu_usage_seconds_total\\{container=\"main\",namespace=\"default\",pod=\"redis-0\"} (\\S+)"
                    + " (\\d+)");

    private LabVerticle lab;
    private KubernetesClient client;
    private HttpClient kubelet;
    private RawApi raw;

    @BeforeEach
    void deploy(Vertx vertx) {
        var shell = new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
        lab = new LabVerticle(withPods(), shell);
        vertx.deployVerticle(lab).await();
        client = KubernetesConnection.open(KubernetesConfig.DEFAULTS.at(lab.apiUrl()));
        raw = new RawApi(client);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static LabConfig withPods() {
        var usual = LabConfig.DEFAULTS;
        return new LabConfig(
                usual.cluster(),
                usual.address(),
                usual.apiPort(),
                usual.day(),
                usual.seed(),
                usual.controllerDelayMin(),
                usual.controllerDelayMax(),
                usual.auditEvery(),
                usual.migration(),
                "",
                true);
    }

    private JsonNode status() {
        return raw.get(POD).body().path("status");
    }

    private void resize(String cpu) {
        var size = "{\"cpu\":\"%s\",\"memory\":\"2Gi\"}".formatted(cpu);
        var answer = raw.patch(POD + "/resize", "application/json-patch+json", """
            [{"op":"replace","path":"/spec/containers/0/resources","value":{"requests":%1$s,"limits":%1$s}}]\
            """.formatted(size));
        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void aPodRunsOnceTheLabDoesWithItsLabelBoundsAndEndpoint() {
        var pod = raw.get(POD).body();

        assertThat(pod.at("/status/phase").asText()).isEqualTo("Running");
        assertThat(pod.at("/status/qosClass").asText()).isEqualTo("Guaranteed");
        assertThat(pod.at("/metadata/labels/autoscaling.sluice.io~1enabled").asText())
                .isEqualTo("true");
        assertThat(pod.at("/metadata/annotations/autoscaling.sluice.io~1bounds").asText())
                .contains("250m", "4Gi");
        assertThat(pod.at("/metadata/annotations/autoscaling.sluice.io~1billing-endpoint-id")
                        .asText())
                .isEqualTo("ep-redis-0");
        assertThat(lab.podCpus()).containsOnlyKeys("redis-0");
        assertThat(lab.accounted()).contains("redis-0");
    }

    @Test
    void aResizeComesIntoForce() {
        resize("500m");

        await().until(() -> status().at("/containerStatuses/0/resources/limits/cpu")
                .asText()
                .equals("500m"));
        assertThat(status().at("/containerStatuses/0/allocatedResources/memory").asText())
                .isEqualTo("2Gi");
        assertThat(status().path("observedGeneration"))
                .isEqualTo(raw.get(POD).body().at("/metadata/generation"));
    }

    @Test
    void itsKubeletServesNewSamplesOverTls(Vertx vertx) {
        var node = raw.get(LabPaths.NODES + "/node-a").body().path("status");
        int port = node.at("/daemonEndpoints/kubeletEndpoint/Port").asInt();
        var host = node.at("/addresses/0/address").asText();
        kubelet = vertx.createHttpClient(
                new HttpClientOptions().setSsl(true).setTrustAll(true).setVerifyHost(false));

        var first = CPU_SECONDS.matcher(read(port, host, "/metrics/resource"));
        assertThat(first.find()).isTrue();
        await().pollInSameThread().untilAsserted(() -> {
            var later = CPU_SECONDS.matcher(read(port, host, "/metrics/resource"));
            assertThat(later.find()).isTrue();
            assertThat(Double.parseDouble(later.group(1))).isGreaterThan(Double.parseDouble(first.group(1)));
            assertThat(Long.parseLong(later.group(2))).isGreaterThan(Long.parseLong(first.group(2)));
        });
        assertThat(read(port, host, "/metrics/resource"))
                .contains("container_memory_working_set_bytes{container=\"main\"");
        assertThat(read(port, host, "/metrics/cadvisor"))
                .contains("container_cpu_cfs_periods_total{", "container_cpu_cfs_throttled_periods_total{");
    }

    private String read(int port, String host, String path) {
        return kubelet.request(HttpMethod.GET, port, host, path)
                .compose(request -> request.send().compose(answer -> answer.body()))
                .timeout(10, TimeUnit.SECONDS)
                .await()
                .toString();
    }
}
