package io.sluice.kube.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.kube.Residents;
import io.sluice.kube.SchedulerProcess;
import io.sluice.kube.deploy.ComposedOverlay;
import io.sluice.kube.deploy.Deploy;
import io.sluice.kube.server.AuditLog;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.KubeScheduler;
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
import java.util.SortedSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: gangs start whole or not at all, through the own scheduler and through a real kube-scheduler, and their objects
 * show how far they are. Method: one process of the distribution with the rights of the overlay placement and the
 * component gangs. Each test has nodes of its own, of 4 CPUs.
 */
@OnKubernetes
class GangsOnKubernetesTest {
    private static final String OWN = "sluice-own";
    private static final String EXTENDED = "extended";
    private static final String ACCOUNT = "system:serviceaccount:kube-system:sluice-scheduler";
    private static final String GROUPS = "/apis/scheduling.x-k8s.io/v1alpha1/namespaces/default/podgroups";
    private static final String SIGS = "/apis/scheduling.sigs.k8s.io/v1alpha1/namespaces/default/podgroups";
    private static final String KUBERNETES = "/apis/scheduling.k8s.io/v1alpha2/namespaces/default/podgroups";
    private static final String LABEL = "'scheduling.x-k8s.io/pod-group':'%s'";
    private static final Duration WITHIN = Duration.ofSeconds(120);

    private static ControlPlane plane;
    private static KubernetesClient client;
    private static RawApi raw;
    private static SortedSet<Right> rightsOfTheComponent;
    private static SchedulerProcess sluice;
    private static KubeScheduler scheduler;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        plane = ControlPlane.withPodGroups(folder);
        client = KubernetesConnection.open(plane.admin());
        raw = new RawApi(client);
        var kubectl = new Kubectl(folder, plane.admin());
        kubectl.run("apply", "-k", Deploy.CHECKOUT.resolve("deploy/podgroups").toString());
        await().atMost(WITHIN)
                .until(() -> Stream.of(GROUPS, SIGS, KUBERNETES)
                        .allMatch(path -> raw.get(path).status() == 200));
        var overlay = new ComposedOverlay(kubectl, folder, "placement", "gangs");
        rightsOfTheComponent = overlay.rightsBeyond(new ComposedOverlay(kubectl, folder, "placement"));
        var access = plane.by(plane.apiPort(), overlay.token("sluice-scheduler"));
        sluice = SchedulerProcess.placing(
                folder,
                access,
                "127.0.0.2",
                new JsonObject().put("schedulerName", OWN).put("gangs", new JsonObject().put("enabled", true)));
        await().atMost(WITHIN).until(sluice::isReady);
        await().atMost(WITHIN)
                .until(() -> sluice.ops("/metrics"), metrics -> metrics.contains("sluice_scheduler_leads 1.0"));
        scheduler = KubeScheduler.extended(plane.admin(), folder, EXTENDED, sluice.extender(), "");
    }

    @AfterAll
    static void stop() {
        scheduler.close();
        sluice.close();
        client.close();
        var audit = new AuditLog(plane.auditLog());
        plane.close();
        assertThat(audit.forbidden(ACCOUNT)).isEmpty();
        assertThat(rightsOfTheComponent).contains(new Right("scheduling.x-k8s.io", "podgroups/status", "patch"));
        assertThat(audit.used(ACCOUNT)).containsAll(rightsOfTheComponent);
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, EXTENDED})
    @DisplayName("AT-G1 on Kubernetes: too few members wait with the reason, and the last one starts all")
    void holdBack(String by) {
        nodes("hold", by);
        group(GROUPS, "hold-" + by, 3);
        member("hold-1", by, "hold", 1_000);
        member("hold-2", by, "hold", 1_000);
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(condition("hold-" + by, "Unschedulable"))
                        .isEqualTo("GANG_TOO_FEW_MEMBERS GANG_TOO_FEW_MEMBERS(2/3)"));
        await().atMost(WITHIN).until(() -> why("hold-1-" + by), why -> why.contains("GANG_TOO_FEW_MEMBERS(2/3)"));
        assertThat(bound("hold", by)).isEmpty();

        member("hold-3", by, "hold", 1_000);
        await().atMost(WITHIN).untilAsserted(() -> assertThat(bound("hold", by)).hasSize(3));
        await().atMost(WITHIN).untilAsserted(() -> {
            var status = raw.get(GROUPS + "/hold-" + by).body().path("status");
            assertThat(status.path("phase").asText()).isEqualTo("Scheduled");
            assertThat(status.path("scheduled").asInt()).isEqualTo(3);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, EXTENDED})
    @DisplayName("AT-G2 on Kubernetes: nothing is bound or held where one member has no room")
    void capacity(String by) {
        nodes("cap", by);
        group(GROUPS, "cap-" + by, 4);
        for (int i = 1; i <= 6; i++) {
            member("cap-" + i, by, "cap", 3_000);
        }
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(condition("cap-" + by, "Unschedulable"))
                        .startsWith("GANG_NO_ROOM GANG_NO_ROOM(3/4): "));
        assertThat(bound("cap", by)).isEmpty();
        assertThat(sluice.reserved().keySet()).noneMatch(pod -> pod.startsWith("cap-"));
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, EXTENDED})
    @DisplayName("AT-G3 on Kubernetes: of two gangs that do not both fit one is whole, and the other holds nothing")
    void noDeadlock(String by) {
        nodes("dead", by);
        group(GROUPS, "dead-a-" + by, 2);
        group(GROUPS, "dead-b-" + by, 2);
        for (int i = 1; i <= 2; i++) {
            for (var gang : List.of("dead-a", "dead-b")) {
                pod(gang + "-" + i + "-" + by, by, "dead", 3_000, LABEL.formatted(gang + "-" + by), "");
            }
        }
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(List.of(
                                bound("dead-a", by).size(), bound("dead-b", by).size()))
                        .containsExactlyInAnyOrder(2, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {OWN, EXTENDED})
    @DisplayName("AT-G4 on Kubernetes: room that is enough in sum, and on no two nodes, starts nothing")
    void fragmentation(String by) {
        nodes("frag", by);
        for (int i = 1; i <= 3; i++) {
            pod("used-" + i + "-" + by, by, "frag", 2_000, "", "'nodeName':'frag-" + i + "-" + by + "',");
        }
        await().atMost(WITHIN)
                .until(() -> sluice.reserved().keySet().stream()
                                .filter(pod -> pod.startsWith("used-") && pod.endsWith(by))
                                .count()
                        == 3);
        group(GROUPS, "frag-" + by, 2);
        member("frag-1", by, "frag", 3_000);
        member("frag-2", by, "frag", 3_000);
        // kube-scheduler counts these requests itself, and asks for no node.
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(by.equals(OWN) ? condition("frag-" + by, "Unschedulable") : waits(by))
                        .contains(by.equals(OWN) ? "GANG_NO_ROOM(0/2): " : "Insufficient cpu"));
        assertThat(bound("frag", by)).isEmpty();
        assertThat(sluice.reserved().keySet()).noneMatch(pod -> pod.startsWith("frag-"));
    }

    @Test
    @DisplayName("Kubernetes' own groups and the older ones of the plugins start whole, and show it")
    void otherKinds() {
        nodes("kinds", OWN);
        created(KUBERNETES, """
            {"metadata":{"name":"native"},"spec":{"schedulingPolicy":{"gang":{"minCount":2}}}}\
            """);
        pod("native-1-" + OWN, OWN, "kinds", 500, "", "'schedulingGroup':{'podGroupName':'native'},");
        pod("native-2-" + OWN, OWN, "kinds", 500, "", "'schedulingGroup':{'podGroupName':'native'},");
        group(SIGS, "older", 2);
        pod("older-1-" + OWN, OWN, "kinds", 500, "'pod-group.scheduling.sigs.k8s.io':'older'", "");
        pod("older-2-" + OWN, OWN, "kinds", 500, "'pod-group.scheduling.sigs.k8s.io':'older'", "");
        await().atMost(WITHIN).untilAsserted(() -> {
            assertThat(bound("native", OWN)).hasSize(2);
            assertThat(bound("older", OWN)).hasSize(2);
            assertThat(raw.get(KUBERNETES + "/native")
                            .body()
                            .at("/status/conditions/0/type")
                            .asText())
                    .isEqualTo("PodGroupScheduled");
            assertThat(raw.get(SIGS + "/older").body().at("/status/scheduled").asInt())
                    .isEqualTo(2);
        });

        pod("both-1-" + OWN, OWN, "kinds", 500, LABEL.formatted("one"), "'schedulingGroup':{'podGroupName':'native'},");
        await().atMost(WITHIN).until(() -> why("both-1-" + OWN), why -> why.contains("GANG_TWO_KINDS"));
    }

    private static void nodes(String name, String by) {
        for (int i = 1; i <= 3; i++) {
            created("/api/v1/nodes", """
                {"metadata":{"name":"%1$s-%3$d-%2$s","labels":{"only":"%1$s-%2$s"}},
                 "status":{"allocatable":{"cpu":"4","memory":"16Gi","pods":"110"},
                   "conditions":[{"type":"Ready","status":"True"}]}}\
                """.formatted(name, by, i));
        }
    }

    private static void group(String kind, String name, int minMember) {
        var version = kind.split("/")[2] + "/" + kind.split("/")[3];
        created(kind, """
            {"apiVersion":"%s","kind":"PodGroup","metadata":{"name":"%s"},"spec":{"minMember":%d}}\
            """.formatted(version, name, minMember));
    }

    private static void member(String name, String by, String gang, long milliCpu) {
        pod(name + "-" + by, by, gang, milliCpu, LABEL.formatted(gang + "-" + by), "");
    }

    private static void pod(String name, String by, String nodes, long milliCpu, String labels, String spec) {
        created(Residents.PODS, """
            {'metadata':{'name':'%s','labels':{%s}},'spec':{%s'schedulerName':'%s','nodeSelector':{'only':'%s-%s'},
             'containers':[{'name':'c','image':'none','resources':{'requests':{'cpu':'%dm'}}}]}}\
            """.formatted(name, labels, spec, by, nodes, by, milliCpu)
                .replace('\'', '"'));
    }

    private static JsonNode created(String path, String object) {
        var made = raw.post(path, object);
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
        return made.body();
    }

    /** Reason and message of a condition; empty where there is none. */
    private static String condition(String group, String type) {
        return raw.get(GROUPS + "/" + group)
                .body()
                .at("/status/conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asText().equals(type))
                .map(condition -> condition.path("reason").asText() + " "
                        + condition.path("message").asText())
                .findFirst()
                .orElse("");
    }

    private static String waits(String by) {
        return raw.get(Residents.PODS + "/frag-1-" + by)
                .body()
                .at("/status/conditions/0/message")
                .asText("");
    }

    private static String why(String pod) {
        return sluice.why(pod);
    }

    private static List<String> bound(String prefix, String by) {
        return raw.get(Residents.PODS)
                .body()
                .path("items")
                .valueStream()
                .filter(pod -> pod.at("/metadata/name").asText().startsWith(prefix + "-"))
                .filter(pod -> pod.at("/metadata/name").asText().endsWith(by))
                .filter(pod -> !pod.at("/spec/nodeName").asText("").isEmpty())
                .map(pod -> pod.at("/metadata/name").asText())
                .toList();
    }
}
