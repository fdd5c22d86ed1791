package io.sluice.kube.elastic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.kube.Residents;
import io.sluice.kube.SchedulerProcess;
import io.sluice.kube.deploy.ComposedOverlay;
import io.sluice.kube.server.AuditLog;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.kube.server.Right;
import io.sluice.lab.api.RawApi;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SortedSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: elastic jobs begin, shrink for others, and grow again within bounds and quotas, with the rights of the
 * component {@code elastic-jobs} alone. Method: one process of the distribution places pods by its own scheduler and
 * scales a Deployment and a StatefulSet in a real API server. Their controllers do not run, so the test makes and ends
 * the pods.
 */
@OnKubernetes
class ElasticJobsOnKubernetesTest {
    private static final String OWN = "sluice-own";
    private static final String ACCOUNT = "system:serviceaccount:kube-system:sluice-scheduler";
    private static final String TIGHT = "tight";
    private static final Duration WITHIN = Duration.ofSeconds(120);

    @TempDir
    private Path folder;

    private ControlPlane plane;
    private KubernetesClient client;
    private RawApi raw;
    private Kubectl kubectl;
    private KubernetesConfig access;
    private SortedSet<Right> rightsOfTheComponent;
    private SchedulerProcess sluice;

    @BeforeEach
    void start() throws IOException {
        plane = ControlPlane.audited(folder);
        client = KubernetesConnection.open(plane.admin());
        raw = new RawApi(client);
        kubectl = new Kubectl(folder, plane.admin());
        access = plane.by(plane.apiPort(), tokenOfTheOverlay());
        for (var node : new String[] {"n1", "n2"}) {
            created("/api/v1/nodes", """
                {"metadata":{"name":"%s"},"status":{"allocatable":{"cpu":"4","memory":"16Gi","pods":"110"},
                  "conditions":[{"type":"Ready","status":"True"}]}}\
                """.formatted(node));
        }
        sluice = startSluice("127.0.0.2");
    }

    private SchedulerProcess startSluice(String host) {
        var elastic = new JsonObject().put("enabled", true).put("tick", "2s").put("growCooldown", "10s");
        var started = SchedulerProcess.placing(
                folder, access, host, new JsonObject().put("schedulerName", OWN).put("elastic", elastic));
        await().atMost(WITHIN).until(started::isReady);
        return started;
    }

    /** That of the overlay scheduler with the components, but with all in one process. */
    private Path tokenOfTheOverlay() throws IOException {
        var overlay = new ComposedOverlay(kubectl, folder, "scheduler", "own-scheduler", "elastic-jobs");
        rightsOfTheComponent = overlay.rightsBeyond(new ComposedOverlay(kubectl, folder, "scheduler", "own-scheduler"));
        return overlay.token("sluice-scheduler");
    }

    @AfterEach
    void stop() {
        sluice.close();
        client.close();
        plane.close();
    }

    @Test
    void jobsBeginShrinkForOthersAndGrowAgain() {
        var first = Workload.create(client, "default", "Deployment", "first", OWN);
        first.job(2, 8);
        await().atMost(WITHIN).untilAsserted(() -> assertThat(first.replicas()).isEqualTo(8));
        first.createPods(OWN);
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(first.condition().toString()).contains("True", "8 members run"));
        assertThat(kubectl.run("get", "elasticjobs", "--namespace=default"))
                .containsPattern("NAME +TARGET +RUNNING +MIN +MAX +SCHEDULED +REASON +AGE")
                .containsPattern("first +8 +8 +2 +8 +True +Running");

        // Another one needs three of the places.
        var second = Workload.create(client, "default", "StatefulSet", "second", OWN);
        second.job(3, 4);
        await().atMost(WITHIN).untilAsserted(() -> {
            assertThat(first.replicas()).isEqualTo(5);
            assertThat(second.condition().toString()).contains("RoomComes", "default/first 3");
        });
        intrude();
        assertThat(first.endOne()).isTrue();
        await().atMost(WITHIN)
                .untilAsserted(
                        () -> assertThat(sluice.why("intruder")).contains("with room that is kept for default/second"));
        assertThat(second.replicas()).as("before all room is free").isZero();
        client.pods()
                .inNamespace("default")
                .withName("intruder")
                .withGracePeriod(0)
                .delete();

        // Another process goes on with what the first one has decided.
        sluice.close();
        sluice = startSluice("127.0.0.3");
        await().atMost(WITHIN)
                .until(
                        () -> sluice.ops("/metrics"),
                        metrics -> metrics.matches("(?s).*sluice_elastic_rooms_kept\\{?[^\\n]* [12]\\.0.*"));
        assertThat(first.endOne()).isTrue();
        assertThat(first.endOne()).isTrue();
        assertThat(first.endOne()).as("no more than it was to give").isFalse();
        await().atMost(WITHIN).untilAsserted(() -> assertThat(second.replicas()).isEqualTo(3));
        second.createPods(OWN);
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(second.condition().toString()).contains("True", "3 members run"));
        assertThat(first.replicas()).isEqualTo(5);

        // What it leaves, the others get.
        intrude();
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(sluice.why("intruder")).contains("short of"));
        second.delete();
        await().atMost(WITHIN).untilAsserted(() -> assertThat(intruderIsBound()).isTrue());
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(first.replicas())
                        .as("its growth may be planned before the pod is bound")
                        .isBetween(7, 8));
        assertThat(new AuditLog(plane.auditLog()).forbidden(ACCOUNT)).isEmpty();
    }

    /** A pod that would fit into the room that is kept for others. */
    private void intrude() {
        created(Residents.PODS, "{\"metadata\":{\"name\":\"intruder\"},\"spec\":" + Workload.podSpec(OWN) + "}");
    }

    private boolean intruderIsBound() {
        return !raw.get(Residents.PODS + "/intruder")
                .body()
                .at("/spec/nodeName")
                .asText("")
                .isEmpty();
    }

    /** It reads and writes what the component allows, and neither makes nor ends a pod. */
    private void assertUsed() {
        sluice.close();
        var audit = new AuditLog(plane.auditLog());
        assertThat(audit.forbidden(ACCOUNT)).isEmpty();
        assertThat(rightsOfTheComponent).contains(new Right("apps", "deployments/scale", "patch"));
        assertThat(audit.used(ACCOUNT))
                .containsAll(rightsOfTheComponent)
                .doesNotContain(new Right("", "pods", "create"), new Right("", "pods", "delete"));
    }

    /** No kubelet runs, so that a pod counts at once at what its spec requests. */
    @Test
    void noMemberLeavesWhereSmallerOnesAreEnough() {
        var first = Workload.create(client, "default", "Deployment", "first", OWN);
        first.jobInPlace(2, 8, "500m");
        await().atMost(WITHIN).untilAsserted(() -> assertThat(first.replicas()).isEqualTo(8));
        first.createPods(OWN);
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(first.condition().toString()).contains("True", "8 members run"));

        var second = Workload.create(client, "default", "StatefulSet", "second", OWN);
        second.job(2, 2);

        await().atMost(WITHIN).untilAsserted(() -> assertThat(second.replicas()).isEqualTo(2));
        second.createPods(OWN);
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(second.condition().toString()).contains("True", "2 members run"));
        assertThat(first.replicas()).isEqualTo(8);
        assertThat(first.requests()).containsExactly("1", "1", "1", "1", "500m", "500m", "500m", "500m");

        second.delete();
        await().atMost(WITHIN).untilAsserted(() -> assertThat(first.requests()).containsOnly("1"));
        assertThat(first.bound()).isEqualTo(8);
        assertUsed();
    }

    @Test
    void noJobGrowsBeyondTheQuotaOfItsNamespace() {
        created("/api/v1/namespaces", "{\"metadata\":{\"name\":\"" + TIGHT + "\"}}");
        var quotas = "/api/v1/namespaces/" + TIGHT + "/resourcequotas";
        created(quotas, "{\"metadata\":{\"name\":\"q\"},\"spec\":{\"hard\":{\"requests.cpu\":\"2500m\"}}}");
        // What the quota controller would write.
        var status = raw.patch(
                quotas + "/q/status",
                Residents.MERGE,
                "{\"status\":{\"hard\":{\"requests.cpu\":\"2500m\"},\"used\":{\"requests.cpu\":\"0\"}}}");
        assertThat(status.status()).isEqualTo(200);
        var job = Workload.create(client, TIGHT, "StatefulSet", "limited", OWN);
        job.job(1, 8);

        await().atMost(WITHIN).untilAsserted(() -> assertThat(job.replicas()).isEqualTo(2));
        job.createPods(OWN);
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(job.condition().toString()).contains("True", "2 members run"));
        assertThat(raw.get(quotas + "/q").body().at("/status/used/requests.cpu").asText())
                .isEqualTo("2");
        var large = Workload.create(client, TIGHT, "Deployment", "large", OWN);
        large.job(1, 4);
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(large.condition().toString())
                        .contains("NoRoom", "the quota of its namespace does not allow 1 members"));
        assertThat(job.replicas()).isEqualTo(2);
    }

    @Test
    void refusesOrNamesWhatIsWrongWithAJob() {
        var bounds = raw.post(Workload.jobs("default"), Workload.jobObject("bounds", "Deployment", 3, 2));
        assertThat(bounds.status()).isEqualTo(422);
        assertThat(bounds.body().toString()).contains("min must not exceed max");

        created(Workload.jobs("default"), Workload.jobObject("nothing", "Deployment", 1, 2));
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(raw.get(Workload.jobs("default") + "/nothing")
                                .body()
                                .at("/status/conditions/0")
                                .toString())
                        .contains("False", "Broken", "404", "deployments"));
    }

    private void created(String path, String object) {
        var made = raw.post(path, object);
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    }
}
