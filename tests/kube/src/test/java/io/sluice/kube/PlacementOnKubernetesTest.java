package io.sluice.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.gateway.listener.TestCertificate;
import io.sluice.kube.placement.VmPods;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.KubeScheduler;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.api.RawApi;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a VM's pod is bound where the ledger can hold what the VM uses, and waits with a reason where it cannot,
 * although its requests are tiny. Method: a real kube-scheduler calls a process of the distribution as its extender,
 * with a certificate of its own; another one has none.
 */
@OnKubernetes
class PlacementOnKubernetesTest {
    private static final String SCHEDULER = "sluice";
    private static final String NODES = "/api/v1/nodes";
    private static final Resources NODE = new Resources(4_000, 16L << 30);

    @TempDir
    private static Path folder;

    private static String tlsOfServer;
    private static ControlPlane plane;
    private static KubernetesClient client;
    private static RawApi raw;
    private static SchedulerProcess sluice;
    private static KubeScheduler scheduler;

    @BeforeAll
    static void start() throws Exception {
        plane = ControlPlane.start(folder);
        client = KubernetesConnection.open(plane.admin());
        raw = new RawApi(client);
        var server = TestCertificate.of("EC", folder);
        var clients = TestCertificate.of("EC", folder);
        var files = server.writeTo(folder);
        tlsOfServer = "{serverName: localhost, caFile: %s}".formatted(files.cert());
        var own = clients.writeTo(Files.createDirectory(folder.resolve("client")));
        sluice = SchedulerProcess.overTls(
                folder,
                plane,
                "127.0.0.2",
                new JsonObject()
                        .put("cert", files.cert())
                        .put("key", files.key())
                        .put("clientCa", own.cert()));
        await().atMost(KubeFleet.WITHIN).until(sluice::isReady);
        node("node-a", "two");
        node("node-b", "two");
        node("node-c", "shrinks");
        node("node-d", "evicts");
        node("node-e", "evicts");
        node("node-g", "keeps");
        created("/apis/scheduling.k8s.io/v1/priorityclasses", """
            {"metadata":{"name":"high"},"value":1000}\
            """);
        scheduler = KubeScheduler.extended(
                plane.admin(),
                folder,
                SCHEDULER,
                sluice.extender(),
                "{serverName: localhost, caFile: %s, certFile: %s, keyFile: %s}"
                        .formatted(files.cert(), own.cert(), own.key()));
    }

    @AfterAll
    static void stop() {
        scheduler.close();
        sluice.close();
        client.close();
        plane.close();
    }

    @Test
    void bindsAVmsPodWhereTheLedgerHasRoomAndLetsAnotherWait() {
        var uses = new Resources(3_000, 12L << 30);
        vmWithPod("first", uses, "two");
        vmWithPod("second", uses, "two");
        var nodes = List.of(boundTo("first-pod"), boundTo("second-pod"));
        assertThat(nodes).containsExactlyInAnyOrder("node-a", "node-b");
        await().atMost(KubeFleet.WITHIN)
                .untilAsserted(() -> assertThat(sluice.reserved())
                        .containsEntry("first-pod", uses)
                        .containsEntry("second-pod", uses));

        vmWithPod("third", uses, "two");
        await().atMost(KubeFleet.WITHIN)
                .untilAsserted(() -> assertThat(waits("third-pod"))
                        .contains("2 short of CPU by 2 and memory by 8Gi or more in the ledger"));

        delete("first-pod");
        assertThat(boundTo("third-pod")).isEqualTo(nodes.getFirst());
        await().atMost(KubeFleet.WITHIN)
                .untilAsserted(() -> assertThat(sluice.reserved())
                        .containsEntry("third-pod", uses)
                        .doesNotContainKey("first-pod"));
    }

    /** No event of Kubernetes reports that a VM has given room back, so the waiting pod is changed. */
    @Test
    void triesAWaitingPodAgainOnceAVmHasShrunk() {
        var large = new Resources(3_000, 12L << 30);
        var small = new Resources(1_000, 4L << 30);
        vmWithPod("shrinks", large, "shrinks");
        assertThat(boundTo("shrinks-pod")).isEqualTo("node-c");
        patch(Residents.VMS + "/shrinks/status", """
            {"status":{"phase":"Running","podName":"shrinks-pod","node":"node-c","podIP":"127.0.0.1",%s}}\
            """.formatted(size(large)));
        vmWithPod("follows", large, "shrinks");
        await().atMost(KubeFleet.WITHIN)
                .untilAsserted(
                        () -> assertThat(waits("follows-pod")).contains("1 short of CPU by 2 and memory by 8Gi"));

        patch(Residents.VMS + "/shrinks", """
            {"spec":{"guest":{"cpus":{"use":1},"memorySlots":{"use":4}}}}\
            """);
        patch(Residents.VMS + "/shrinks/status", "{\"status\":{%s}}".formatted(size(small)));
        patch(Residents.PODS + "/shrinks-pod", """
            {"metadata":{"annotations":{"vm.neon.tech/usage":"{\\"cpu\\":1,\\"memory\\":\\"4Gi\\"}"}}}\
            """);

        assertThat(boundTo("follows-pod")).isEqualTo("node-c");
        assertThat(raw.get(Residents.PODS + "/follows-pod")
                        .body()
                        .at("/metadata/annotations")
                        .toString())
                .contains("internal.autoscaling.sluice.io/touched");
    }

    /**
     * On both nodes kube-scheduler would evict a pod to make room for one of a higher priority. On one of them a VM
     * uses what is not requested, so the eviction there would make no room in the ledger.
     */
    @Test
    void evictsPodsOnlyWhereThatMakesRoomInTheLedger() {
        vmWithPod("large", new Resources(2_000, 8L << 30), "evicts");
        var full = boundTo("large-pod");
        var emptied = full.equals("node-d") ? "node-e" : "node-d";
        pod("low-2", "3500m", "");
        assertThat(boundTo("low-2")).isEqualTo(emptied);
        pod("low-1", "1800m", "");
        assertThat(boundTo("low-1")).isEqualTo(full);

        pod("urgent", "3200m", "high");

        assertThat(boundTo("urgent")).isEqualTo(emptied);
        assertThat(raw.get(Residents.PODS + "/low-2").status()).isEqualTo(404);
        assertThat(raw.get(Residents.PODS + "/low-1").status()).isEqualTo(200);
    }

    /** kube-scheduler evicts nothing where only the ledger is short, and Sluice does not unless it is switched on. */
    @Test
    void evictsNothingIfOnlyTheLedgerIsShortAndPreemptionIsOff() {
        node("node-h", "off");
        var uses = new Resources(3_000, 12L << 30);
        vmWithPod("stays", uses, "off");
        assertThat(boundTo("stays-pod")).isEqualTo("node-h");
        vmWithPod("higher", uses, "off", "high");
        await().atMost(KubeFleet.WITHIN)
                .untilAsserted(() -> assertThat(sluice.why("higher-pod"))
                        .contains("1 short of CPU by 2 and memory by 8Gi or more in the ledger; pods of lower priority"
                                + " are not evicted for it, as placement.preemption is off"));
        assertThat(raw.get(Residents.PODS + "/stays-pod").body().at("/metadata").has("deletionTimestamp"))
                .isFalse();
    }

    /** Small VMs that come one after the other would take all room that becomes free. */
    @Test
    void keepsRoomForALargeVmThatWaitsLong() {
        var small = new Resources(1_500, 6L << 30);
        vmWithPod("small-1", small, "keeps");
        vmWithPod("small-2", small, "keeps");
        boundTo("small-1-pod");
        boundTo("small-2-pod");
        vmWithPod("whole-node", NODE, "keeps");
        await().atMost(KubeFleet.WITHIN)
                .untilAsserted(
                        () -> assertThat(sluice.why("whole-node-pod")).contains("room is kept for it on node node-g"));

        delete("small-1-pod");
        // Before that it would be short of room, and not be tried again while room is kept.
        await().atMost(KubeFleet.WITHIN)
                .untilAsserted(() -> assertThat(sluice.reserved()).doesNotContainKey("small-1-pod"));
        vmWithPod("small-3", small, "keeps");
        await().atMost(KubeFleet.WITHIN)
                .untilAsserted(() -> assertThat(waits("small-3-pod"))
                        .contains("kept for default/whole-node-pod, which waits longer"));
        delete("small-2-pod");

        assertThat(boundTo("whole-node-pod")).isEqualTo("node-g");
    }

    private static void pod(String name, String cpu, String priorityClass) {
        created(Residents.PODS, """
            {"metadata":{"name":"%s"},
             "spec":{"schedulerName":"%s","nodeSelector":{"only":"evicts"},"priorityClassName":"%s",
               "terminationGracePeriodSeconds":0,
               "containers":[{"name":"main","image":"none","resources":{"requests":{"cpu":"%s","memory":"1Gi"}}}]}}\
            """.formatted(name, SCHEDULER, priorityClass, cpu));
    }

    private static String size(Resources size) {
        return "\"cpus\":%d,\"memorySize\":\"%dGi\"".formatted(size.milliCpu() / 1_000, size.memoryBytes() >> 30);
    }

    private static void patch(String path, String change) {
        var patched = raw.patch(path, Residents.MERGE, change);
        assertThat(patched.status()).as("%s", patched.body()).isEqualTo(200);
    }

    @Test
    @SuppressWarnings("try")
    void aKubeSchedulerWithoutACertificateBindsNothing() throws IOException {
        node("node-f", "one");
        var other = Files.createDirectory(folder.resolve("stranger"));
        try (var stranger = KubeScheduler.extended(plane.admin(), other, "stranger", sluice.extender(), tlsOfServer)) {
            created(Residents.PODS, """
                {"metadata":{"name":"refused"},"spec":{"schedulerName":"stranger","nodeSelector":{"only":"one"},
                 "containers":[{"name":"main","image":"none"}]}}\
                """);

            await().atMost(KubeFleet.WITHIN)
                    .untilAsserted(() -> assertThat(waits("refused")).contains("/filter", "tls"));
        }
        assertThat(raw.get(Residents.PODS + "/refused")
                        .body()
                        .at("/spec/nodeName")
                        .isMissingNode())
                .isTrue();
    }

    private static void node(String name, String only) {
        created(NODES, """
            {"metadata":{"name":"%s","labels":{"only":"%s"}},
             "status":{"allocatable":{"cpu":"%dm","memory":"%d","pods":"110"},
               "conditions":[{"type":"Ready","status":"True"}]}}\
            """.formatted(name, only, NODE.milliCpu(), NODE.memoryBytes()));
    }

    private static void vmWithPod(String vm, Resources uses, String only) {
        vmWithPod(vm, uses, only, "");
    }

    private static void vmWithPod(String vm, Resources uses, String only, String priorityClass) {
        new VmPods(raw, SCHEDULER, only).create(vm, vm + "-pod", uses, priorityClass);
    }

    private static JsonNode created(String path, String object) {
        var made = raw.post(path, object);
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
        return made.body();
    }

    private static String boundTo(String pod) {
        return await().atMost(KubeFleet.WITHIN)
                .until(
                        () -> raw.get(Residents.PODS + "/" + pod)
                                .body()
                                .at("/spec/nodeName")
                                .asText(),
                        node -> !node.isEmpty());
    }

    /** Why the pod is not scheduled, as its condition tells node autoscalers and people. */
    private static String waits(String pod) {
        return raw.get(Residents.PODS + "/" + pod)
                .body()
                .path("status")
                .path("conditions")
                .findValuesAsText("message")
                .toString();
    }

    private static void delete(String pod) {
        client.pods().inNamespace("default").withName(pod).withGracePeriod(0).delete();
    }
}
