package io.sluice.kube.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.devices.PodFingerprint;
import io.sluice.kube.Residents;
import io.sluice.kube.SchedulerProcess;
import io.sluice.kube.deploy.ComposedOverlay;
import io.sluice.kube.deploy.Deploy;
import io.sluice.kube.server.AuditLog;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.kube.server.Right;
import io.sluice.lab.api.RawApi;
import io.sluice.neonvm.api.KubernetesConnection;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: the ledger follows the objects {@code NodeResourceTopology} as they are made, changed and deleted, and pods go
 * where their kubelets can align them. Method: a process of the distribution with the rights of the overlay scheduler
 * and the components own-scheduler and zones. The test stands for the exporters.
 */
@OnKubernetes
class ZonesOnKubernetesTest {
    private static final String OWN = "sluice-own";
    private static final String ACCOUNT = "system:serviceaccount:kube-system:sluice-scheduler";
    private static final String TOPOLOGIES = "/apis/topology.node.k8s.io/v1alpha2/noderesourcetopologies";
    private static final Duration WITHIN = Duration.ofSeconds(60);

    private static ControlPlane plane;
    private static KubernetesClient client;
    private static RawApi raw;
    private static SortedSet<Right> rightsOfTheComponent;
    private static SchedulerProcess sluice;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        plane = ControlPlane.audited(folder);
        client = KubernetesConnection.open(plane.admin());
        raw = new RawApi(client);
        var kubectl = new Kubectl(folder, plane.admin());
        kubectl.run(
                "apply",
                "-f",
                Deploy.CHECKOUT
                        .resolve("tests/kube/src/test/resources/zones-kind.yaml")
                        .toString());
        await().atMost(WITHIN).until(() -> raw.get(TOPOLOGIES).status() == 200);
        var overlay = new ComposedOverlay(kubectl, folder, "scheduler", "own-scheduler", "zones");
        rightsOfTheComponent = overlay.rightsBeyond(new ComposedOverlay(kubectl, folder, "scheduler", "own-scheduler"));
        sluice = SchedulerProcess.with(
                folder,
                plane.by(plane.apiPort(), overlay.token("sluice-scheduler")),
                "127.0.0.2",
                new JsonObject()
                        .put("placement", new JsonObject().put("schedulerName", OWN))
                        .put("cluster", new JsonObject().put("zones", true)));
        await().atMost(WITHIN).until(sluice::isReady);
    }

    @AfterAll
    static void stop() {
        sluice.close();
        client.close();
        var audit = new AuditLog(plane.auditLog());
        plane.close();
        assertThat(audit.forbidden(ACCOUNT)).isEmpty();
        assertThat(audit.used(ACCOUNT)).containsAll(rightsOfTheComponent);
    }

    @Test
    void podsGoWhereTheirZonesFitByTheNewestReport() {
        node("narrow", 2, 2);
        node("wide", 4, 4);
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(List.of(total("narrow", 0), total("wide", 0), total("wide", 1)))
                        .containsExactly(2_000L, 4_000L, 4_000L));

        pod("first");
        assertThat(boundTo("first")).isEqualTo("wide");
        assertThat(zones("first")).as("its kubelet chooses").isEqualTo("{\"zones\":[0,1],\"exact\":false}");
        pod("second");
        awaitReason("second", "1 with no NUMA zone: NUMA_NO_ZONE(max free cpu=2000,");
        awaitReason("second", "1 with no NUMA zone: NUMA_PESSIMISTIC(max free cpu=1000,");

        report("wide", List.of("first"), 1, 4);
        assertThat(boundTo("second")).isEqualTo("wide");
        assertThat(zones("second")).isEqualTo("{\"zones\":[1],\"exact\":true}");

        report("wide", List.of("first", "second"), 1, 1);
        pod("third");
        awaitReason("third", "2 with no NUMA zone: NUMA_NO_ZONE(max free cpu=2000,");
        assertThat(raw.delete(TOPOLOGIES + "/narrow", "{}").status()).isEqualTo(200);
        assertThat(boundTo("third")).as("its kubelet admits every pod").isEqualTo("narrow");
        assertThat(zones("third")).isEmpty();
        assertThat(total("narrow", 0)).isZero();
    }

    /** A node of 12 CPUs in two zones, of which the report says what is free. */
    private static void node(String name, int... free) {
        created("/api/v1/nodes", """
            {"metadata":{"name":"%s"},"status":{"allocatable":{"cpu":"12","memory":"16Gi","pods":"110"},
              "conditions":[{"type":"Ready","status":"True"}]}}\
            """.formatted(name));
        created(TOPOLOGIES, topology(name, List.of(), free));
    }

    private static String topology(String node, List<String> pods, int... free) {
        var zones = IntStream.range(0, free.length)
                .mapToObj(zone -> """
                    {"name":"node-%1$d","type":"Node","costs":[{"name":"node-%1$d","value":10}],
                     "resources":[{"name":"cpu","capacity":"6","allocatable":"6","available":"%2$d"},
                                  {"name":"memory","capacity":"8Gi","allocatable":"8Gi","available":"8Gi"}]}\
                    """.formatted(zone, free[zone]))
                .collect(Collectors.joining(","));
        return """
            {"apiVersion":"topology.node.k8s.io/v1alpha2","kind":"NodeResourceTopology","metadata":{"name":"%s"},
             "attributes":[{"name":"topologyManagerPolicy","value":"single-numa-node"},
                           {"name":"topologyManagerScope","value":"container"},
                           {"name":"nodeTopologyPodsFingerprint","value":"%s"}],"zones":[%s]}\
            """.formatted(
                node,
                PodFingerprint.of(
                        pods.stream().map(pod -> Map.entry("default", pod)).toList()),
                zones);
    }

    private static void report(String node, List<String> pods, int... free) {
        var changed = raw.patch(TOPOLOGIES + "/" + node, Residents.MERGE, topology(node, pods, free));
        assertThat(changed.status()).as("%s", changed.body()).isEqualTo(200);
    }

    /** A Guaranteed pod that needs 3 CPUs of one zone. */
    private static void pod(String name) {
        created(Residents.PODS, """
            {"metadata":{"name":"%s"},"spec":{"schedulerName":"%s","containers":[{"name":"c","image":"none",
              "resources":{"limits":{"cpu":"3","memory":"1Gi"}}}]}}\
            """.formatted(name, OWN));
    }

    private static void created(String path, String object) {
        var made = raw.post(path, object);
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    }

    /** What the ledger has of the CPU of a zone. */
    private static long total(String node, int zone) {
        return sluice.fixedTotal(node).getOrDefault("zone/" + zone + "/cpu", 0L);
    }

    private static JsonNode read(String pod) {
        return raw.get(Residents.PODS + "/" + pod).body();
    }

    private static String boundTo(String pod) {
        return await().atMost(WITHIN).until(() -> read(pod).at("/spec/nodeName").asText(""), node -> !node.isEmpty());
    }

    private static String zones(String pod) {
        return read(pod)
                .at("/metadata/annotations")
                .path("autoscaling.sluice.io/numa")
                .asText("");
    }

    private static void awaitReason(String pod, String reason) {
        await().atMost(WITHIN)
                .until(
                        () -> read(pod)
                                .at("/status/conditions")
                                .valueStream()
                                .filter(condition ->
                                        condition.path("type").asText().equals("PodScheduled"))
                                .map(condition -> condition.path("message").asText())
                                .findFirst()
                                .orElse(""),
                        message -> message.contains(reason));
    }
}
