package io.sluice.kube.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.kube.Residents;
import io.sluice.kube.SchedulerProcess;
import io.sluice.kube.deploy.ComposedOverlay;
import io.sluice.kube.server.AuditLog;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.KubeScheduler;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.kube.server.Right;
import io.sluice.lab.api.RawApi;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SortedSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a VM's pod gets the room of one of lower priority where only the ledger is short, through the Eviction API, and
 * so only where disruption budgets allow it. Method: one process of the distribution with the rights of the overlay
 * placement and the component preemption places the pods of its own name, and those of a real kube-scheduler. VMs use 3
 * of a node's 4 CPUs and request little. No kubelet runs, so an evicted pod ends when the test ends it.
 */
@OnKubernetes
class PreemptionOnKubernetesTest {
    private static final String OWN = "sluice-own";
    private static final String EXTENDED = "extended";
    private static final String ACCOUNT = "system:serviceaccount:kube-system:sluice-scheduler";
    private static final String EVENTS = "/api/v1/namespaces/default/events";
    private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    private static final Duration WITHIN = Duration.ofSeconds(120);
    private static final Resources NODE = new Resources(4_000, 16L << 30);
    private static final Resources USE = new Resources(3_000, 12L << 30);

    private static ControlPlane plane;
    private static KubernetesClient client;
    private static RawApi raw;
    private static SortedSet<Right> rightsOfTheComponent;
    private static SchedulerProcess sluice;
    private static KubeScheduler scheduler;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        plane = ControlPlane.audited(folder);
        client = KubernetesConnection.open(plane.admin());
        raw = new RawApi(client);
        priorityClass("middle", 500, "");
        priorityClass("high", 1_000, "");
        priorityClass("patient", 1_000, ",\"preemptionPolicy\":\"Never\"");
        var kubectl = new Kubectl(folder, plane.admin());
        var overlay = new ComposedOverlay(kubectl, folder, "placement", "preemption");
        rightsOfTheComponent = overlay.rightsBeyond(new ComposedOverlay(kubectl, folder, "placement"));
        var access = plane.by(plane.apiPort(), overlay.token("sluice-scheduler"));
        sluice = SchedulerProcess.placing(
                folder,
                access,
                "127.0.0.2",
                new JsonObject().put("schedulerName", OWN).put("preemption", true));
        await().atMost(WITHIN).until(sluice::isReady);
        await().atMost(WITHIN)
                .until(() -> sluice.ops("/metrics"), metrics -> metrics.contains("sluice_scheduler_leads 1.0"));
        scheduler = KubeScheduler.extended(plane.admin(), folder, EXTENDED, sluice.extender(), "");
    }

    private static void priorityClass(String name, int value, String more) {
        created(
                "/apis/scheduling.k8s.io/v1/priorityclasses",
                "{\"metadata\":{\"name\":\"" + name + "\"},\"value\":" + value + more + "}");
    }

    @AfterAll
    static void stop() {
        scheduler.close();
        sluice.close();
        client.close();
        var audit = new AuditLog(plane.auditLog());
        plane.close();
        assertThat(audit.forbidden(ACCOUNT)).isEmpty();
        assertThat(rightsOfTheComponent).contains(new Right("", "pods/eviction", "create"));
        assertThat(audit.used(ACCOUNT))
                .containsAll(rightsOfTheComponent)
                .doesNotContain(new Right("", "pods", "delete"));
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, EXTENDED})
    void aPodOfHigherPriorityGetsTheRoomOfALowerOneOnceThatIsGone(String by) {
        var node = node("room", by);
        vmWithPod("low", by, "", "room");
        assertThat(boundTo("low-" + by)).isEqualTo(node);
        vmWithPod("high", by, "high", "room");

        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(pod("low-" + by)
                                .at("/metadata/deletionTimestamp")
                                .isMissingNode())
                        .isFalse());
        await().atMost(WITHIN).untilAsserted(() -> {
            assertThat(events("low-" + by, "Preempted"))
                    .hasSize(1)
                    .first()
                    .asString()
                    .startsWith("Preempted by pod default/high-" + by + " (")
                    .endsWith("on node " + node);
            assertThat(events("high-" + by, "Preempting"))
                    .containsExactly("Pod default/low-" + by + " of lower priority is evicted from node " + node);
            assertThat(sluice.why("low-" + by)).contains("evicted for pod default/high-" + by + " of priority 1000");
            assertThat(sluice.why("high-" + by)).contains("evicted for it from node " + node + ": default/low-" + by);
        });
        if (by.equals(OWN)) {
            // kube-scheduler takes it back from its own pods at their next attempt.
            await().atMost(WITHIN)
                    .until(
                            () -> pod("high-" + by)
                                    .at("/status/nominatedNodeName")
                                    .asText(),
                            node::equals);
        }
        assertThat(bound("high-" + by)).as("the room still counts as taken").isEmpty();
        assertThat(sluice.reserved()).containsEntry("low-" + by, USE);

        vmWithPod("middle", by, "middle", "room");
        end("low-" + by);

        assertThat(boundTo("high-" + by)).isEqualTo(node);
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(sluice.reserved())
                        .containsEntry("high-" + by, USE)
                        .doesNotContainKey("low-" + by));
        assertThat(bound("middle-" + by)).as("of lower priority").isEmpty();
        assertThat(pod("high-" + by).at("/metadata/deletionTimestamp").isMissingNode())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, EXTENDED})
    void waitsAsLongAsADisruptionBudgetRefuses(String by) {
        var node = node("budget", by);
        var budget = BUDGETS + "/guarded-" + by;
        created(BUDGETS, """
            {"metadata":{"name":"guarded-%1$s"},
             "spec":{"minAvailable":1,"selector":{"matchLabels":{"vm.neon.tech/name":"guarded-%1$s"}}}}\
            """.formatted(by));
        allow(budget, 0);
        vmWithPod("guarded", by, "", "budget");
        boundTo("guarded-" + by);
        // The API server protects no pod that has not begun to run.
        patch(Residents.PODS + "/guarded-" + by + "/status", """
            {"status":{"phase":"Running","conditions":[{"type":"Ready","status":"True"}]}}\
            """);
        vmWithPod("urgent", by, "high", "budget");

        await().atMost(WITHIN).untilAsserted(() -> {
            assertThat(sluice.why("urgent-" + by))
                    .contains("the eviction of default/guarded-" + by + " is refused: The disruption budget guarded-"
                            + by);
            assertThat(events("urgent-" + by, "PreemptionRefused"))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("default/guarded-" + by + " on node " + node + " is not evicted: The disruption budget");
        });
        assertThat(pod("guarded-" + by).at("/metadata/deletionTimestamp").isMissingNode())
                .isTrue();
        assertThat(pod("urgent-" + by).at("/status/nominatedNodeName").isMissingNode())
                .isTrue();
        assertThat(sluice.ops("/metrics")).containsPattern("victims_total\\{outcome=\"refused_by_budget\"[^}]*} [1-9]");

        allow(budget, 1);
        await().atMost(WITHIN).until(() -> pod("guarded-" + by).at("/metadata").has("deletionTimestamp"));
        end("guarded-" + by);
        assertThat(boundTo("urgent-" + by)).isEqualTo(node);
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, EXTENDED})
    void evictsNothingForAPodWithThePolicyNever(String by) {
        node("never", by);
        vmWithPod("stays", by, "", "never");
        boundTo("stays-" + by);
        vmWithPod("patient", by, "patient", "never");
        await().atMost(WITHIN)
                .untilAsserted(
                        () -> assertThat(sluice.why("patient-" + by)).contains("its preemption policy is Never"));
        assertThat(pod("stays-" + by).at("/metadata").has("deletionTimestamp")).isFalse();
    }

    /** Of two nodes the one whose pod has the lower priority. */
    @Test
    void choosesTheNodeWithThePodOfLowerPriority() {
        var first = node("choice", OWN);
        var second = node("choice-2", OWN);
        patch("/api/v1/nodes/" + second, "{\"metadata\":{\"labels\":{\"only\":\"choice-" + OWN + "\"}}}");
        for (var name : List.of("costly", "cheap")) {
            vmWithPod(name, OWN, name.equals("costly") ? "middle" : "", "choice");
        }
        var costly = boundTo("costly-" + OWN);
        assertThat(boundTo("cheap-" + OWN)).isNotEqualTo(costly);
        vmWithPod("dear", OWN, "high", "choice");
        await().atMost(WITHIN).until(() -> pod("cheap-" + OWN).at("/metadata").has("deletionTimestamp"));
        end("cheap-" + OWN);
        assertThat(boundTo("dear-" + OWN)).isNotEqualTo(costly).isIn(first, second);
        assertThat(pod("costly-" + OWN).at("/metadata").has("deletionTimestamp"))
                .isFalse();
    }

    private static String node(String name, String by) {
        var full = name + "-" + by;
        created("/api/v1/nodes", """
            {"metadata":{"name":"%1$s","labels":{"only":"%1$s"}},
             "status":{"allocatable":{"cpu":"%2$dm","memory":"%3$d","pods":"110"},
               "conditions":[{"type":"Ready","status":"True"}]}}\
            """.formatted(full, NODE.milliCpu(), NODE.memoryBytes()));
        return full;
    }

    /** @param label of the nodes on which it may run */
    private static void vmWithPod(String name, String by, String priorityClass, String label) {
        new VmPods(raw, by, label + "-" + by).create(name + "-" + by, name + "-" + by, USE, priorityClass);
    }

    /** What the disruption controller would write. */
    private static void allow(String budget, int disruptions) {
        patch(budget + "/status", """
            {"status":{"observedGeneration":1,"disruptionsAllowed":%d,"currentHealthy":1,"desiredHealthy":1,
              "expectedPods":1}}\
            """.formatted(disruptions));
    }

    private static void patch(String path, String change) {
        var patched = raw.patch(path, Residents.MERGE, change);
        assertThat(patched.status()).as("%s", patched.body()).isEqualTo(200);
    }

    private static JsonNode created(String path, String object) {
        var made = raw.post(path, object);
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
        return made.body();
    }

    /** Ends a pod as its kubelet would. */
    private static void end(String pod) {
        client.pods().inNamespace("default").withName(pod).withGracePeriod(0).delete();
    }

    private static JsonNode pod(String name) {
        return raw.get(Residents.PODS + "/" + name).body();
    }

    private static String bound(String pod) {
        return pod(pod).at("/spec/nodeName").asText("");
    }

    private static String boundTo(String pod) {
        return await().atMost(WITHIN).until(() -> bound(pod), node -> !node.isEmpty());
    }

    private static List<String> events(String pod, String reason) {
        return raw.get(EVENTS)
                .body()
                .path("items")
                .valueStream()
                .filter(event -> event.at("/involvedObject/name").asText().equals(pod))
                .filter(event -> event.path("reason").asText().equals(reason))
                .map(event -> event.path("message").asText())
                .toList();
    }
}
