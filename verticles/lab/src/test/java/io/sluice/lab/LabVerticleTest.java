package io.sluice.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.api.RawApi;
import io.sluice.messages.ledger.NodeLedgerView;
import io.sluice.messages.ledger.Snapshot;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.units.Resources;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(VertxExtension.class)
class LabVerticleTest {
    private static final String MERGE = "application/merge-patch+json";

    private LabVerticle lab;
    private String deployment;
    private KubernetesClient client;
    private RawApi raw;

    @BeforeEach
    void deploy(Vertx vertx) {
        var shell = new Shell(new MonotonicClock(), new SimpleMeterRegistry(), new Readiness(), new Random(1));
        lab = new LabVerticle(LabConfig.DEFAULTS, shell);
        deployment = vertx.deployVerticle(lab).await();
        client = KubernetesConnection.open(KubernetesConfig.DEFAULTS.at(lab.apiUrl()));
        raw = new RawApi(client);
    }

    @AfterEach
    void close() {
        client.close();
    }

    @Test
    void bringsUpThreeNodesAndTwelveRunningVmsInTheirPods() {
        assertThat(items("/api/v1/nodes")).hasSize(3);
        var pods = items(LabPaths.PODS);
        var vms = items(LabPaths.VMS);
        assertThat(pods).hasSize(13).allSatisfy(pod -> {
            assertThat(pod.at("/status/phase").asText()).isEqualTo("Running");
            assertThat(pod.at("/spec/nodeName").asText()).startsWith("node-");
        });
        assertThat(vms).hasSize(12).allSatisfy(vm -> {
            assertThat(vm.at("/metadata/labels/autoscaling.neon.tech~1enabled").asText())
                    .isEqualTo("true");
            assertThat(vm.at("/status/phase").asText()).isEqualTo("Running");
            assertThat(vm.at("/status/podIP").asText()).startsWith("127.");
            assertThat(pods).anyMatch(pod -> pod.at("/metadata/name").equals(vm.at("/status/podName")));
        });
        assertThat(items(LabPaths.VMS + "?labelSelector=autoscaling.neon.tech%2Fauto-migration-enabled%3Dtrue"))
                .hasSize(4);
        assertThat(lab.guests()).hasSize(12);
    }

    @Test
    void oneVmHasAFileCacheThatCountsAndNamesWhereItsMetricsAre() throws Exception {
        var annotations = raw.get(LabPaths.vm("search")).body().at("/metadata/annotations");
        var ip = raw.get(LabPaths.vm("search")).body().at("/status/podIP").asText();

        assertThat(annotations.at("/autoscaling.neon.tech~1config").asText()).isEqualTo("{\"enableLFCMetrics\":true}");
        var at = URI.create("http://" + ip + ":"
                + annotations.at("/autoscaling.sluice.io~1file-cache").asText());
        try (var text = at.toURL().openStream()) {
            assertThat(new String(text.readAllBytes(), StandardCharsets.UTF_8)).contains("duration_seconds=\"3600\"");
        }
        assertThat(items(LabPaths.VMS).stream()
                        .filter(vm -> vm.at("/metadata/annotations").has("autoscaling.sluice.io/file-cache")))
                .hasSize(1);
    }

    @Test
    void makesAPatchedSizeRealInGuestStatusAndPod() {
        var path = LabPaths.vm("feeds");
        raw.patch(path, MERGE, """
            {"spec":{"guest":{"cpus":{"use":"1500m"},"memorySlots":{"use":6}},
              "targetRevision":{"revision":{"value":3,"flags":1},"updatedAt":"2026-01-02T03:04:05Z"}}}\
            """);

        await().until(() -> raw.get(path)
                        .body()
                        .at("/status/currentRevision/revision/value")
                        .asLong()
                == 3);
        var vm = raw.get(path).body();
        assertThat(vm.at("/status/cpus").asText()).isEqualTo("1500m");
        assertThat(vm.at("/status/memorySize").asText()).isEqualTo("6Gi");
        assertThat(vm.at("/status/phase").asText()).isEqualTo("Running");
        var usage = raw.get(LabPaths.pod("feeds-0")).body().at("/metadata/annotations/vm.neon.tech~1usage");
        assertThat(usage.asText()).contains("1500m", "6Gi");
        await().until(() -> lab.guests().get("feeds").size().equals(new Resources(1500, 6L << 30)));
    }

    @Test
    void auditsTheLedgerAgainstWhatTheVmsAre(Vertx vertx) {
        var none = Resources.NONE;
        var empty = new NodeLedgerView(
                "node-a", true, none, none, none, none, none, none, none, none, none, false, 1, List.of());
        new Bus(vertx)
                .serve(LedgerAddresses.SNAPSHOT, request -> Future.succeededFuture(new Snapshot(List.of(empty))))
                .await();

        await().until(() -> lab.audit().breaches() > 0);
        assertThat(lab.audit().firstBreach())
                .hasValueSatisfying(words -> assertThat(words).contains("node-a"));
    }

    @Test
    void leavesNoPortBehind(Vertx vertx) {
        var uri = URI.create(lab.apiUrl());
        var ports = new ArrayList<URI>(List.of(uri));
        items(LabPaths.VMS)
                .forEach(vm ->
                        ports.add(URI.create("http://" + vm.at("/status/podIP").asText() + ":"
                                + vm.at("/metadata/annotations/autoscaling.sluice.io~1metrics")
                                        .asText())));

        vertx.undeploy(deployment).await();

        // A server releases its port a moment after its close has completed.
        await().untilAsserted(() -> assertThat(ports)
                .hasSize(13)
                .allSatisfy(port -> assertThatThrownBy(() -> new Socket(port.getHost(), port.getPort()).close())
                        .isInstanceOf(ConnectException.class)));
    }

    private List<JsonNode> items(String path) {
        return StreamSupport.stream(raw.get(path).body().path("items").spliterator(), false)
                .toList();
    }
}
