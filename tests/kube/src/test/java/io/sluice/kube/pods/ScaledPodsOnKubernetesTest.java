package io.sluice.kube.pods;

import static io.sluice.kube.pods.PodStage.MI;
import static io.sluice.kube.pods.PodStage.WITHIN;
import static io.sluice.kube.pods.PodStage.amounts;
import static io.sluice.kube.pods.PodStage.bounds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.api.RawApi;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.units.Resources;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: ordinary pods are scaled in place by the same pipeline as VMs. Method: a real API server; a stand-in applies
 * what the specs say and serves samples, and hollow nodes, whose kubelet is real, defer and refuse.
 */
@OnKubernetes
class ScaledPodsOnKubernetesTest {
    private static final String NODE = "node-p";
    private static final String TWICE = "\"cpu\":\"400m\",\"memory\":\"256Mi\"";

    @TempDir
    private static Path folder;

    private static ControlPlane plane;
    private static KubeletStandIn kubelet;
    private static PodStage stage;

    @BeforeAll
    static void start() throws Exception {
        plane = ControlPlane.start(folder);
        try (var client = KubernetesConnection.open(plane.admin())) {
            var raw = new RawApi(client);
            var admin = new RawApi(KubernetesConnection.open(plane.admin()));
            kubelet = new KubeletStandIn(admin, NODE, folder);
            var made = raw.post("/api/v1/nodes", """
                {"metadata":{"name":"%s"},"status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"110"},
                  "capacity":{"cpu":"4","memory":"8Gi","pods":"110"},
                  "addresses":[{"type":"InternalIP","address":"127.0.0.1"}],
                  "daemonEndpoints":{"kubeletEndpoint":{"Port":%d}},
                  "conditions":[{"type":"Ready","status":"True"}]}}\
                """.formatted(NODE, kubelet.port()));
            assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
        }
        stage = new PodStage(plane, kubelet.caFile);
    }

    @AfterAll
    static void stop() throws Exception {
        stage.close();
        kubelet.close();
        plane.close();
    }

    @Test
    void growsWithItsLoadAndShrinksAgain() {
        stage.create(NODE, "works", "200m", "128Mi", TWICE, bounds("100m/64Mi", "1/512Mi"));
        kubelet.works("works", 0.8, 40 * MI);
        stage.awaitRequests("works", new Resources(900, 512 * MI));
        assertThat(amounts(stage.pod("works").at("/spec/containers/0/resources/limits")))
                .isEqualTo(new Resources(1_800, 1024 * MI));
        assertThat(stage.reservation("works").orElseThrow().reserved()).isEqualTo(new Resources(900, 512 * MI));

        kubelet.works("works", 0.02, 40 * MI);
        stage.awaitRequests("works", new Resources(100, 64 * MI));
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(stage.reservation("works").orElseThrow().reserved())
                        .isEqualTo(new Resources(100, 64 * MI)));
        var pod = stage.pod("works");
        assertThat(pod.at("/status/qosClass").asText()).isEqualTo("Burstable");
        assertThat(pod.at("/status/containerStatuses/0/restartCount").asInt()).isZero();
        assertThat(kubelet.tokens).containsExactly("Bearer admin-of-this-test");
    }
}
