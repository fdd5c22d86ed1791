package io.sluice.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.kube.deploy.ComposedOverlay;
import io.sluice.kube.server.AuditLog;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.api.RawApi;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: pods that name Sluice's own scheduler are bound by the rules of Kubernetes and of the ledger, and wait with a
 * condition and one Event for each reason. Method: a process of the distribution with the rights of the overlay
 * scheduler and the component own-scheduler, and no kube-scheduler at all. Each test has nodes of its own.
 */
@OnKubernetes
class OwnSchedulerOnKubernetesTest {
    private static final String SCHEDULER = "sluice-own";
    private static final Resources NODE = new Resources(4_000, 16L << 30);
    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
    private static final String VOLUME = "'volumes':[{'name':'v','persistentVolumeClaim':{'claimName':'%s'}}],";
    private static final String EVENTS = "/api/v1/namespaces/default/events";

    private static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/sluice-placement";

    private static ControlPlane plane;
    private static KubernetesClient client;
    private static RawApi raw;
    private static SchedulerProcess sluice;

    @BeforeAll
    static void start(@TempDir Path folder) throws IOException {
        plane = ControlPlane.audited(folder);
        client = KubernetesConnection.open(plane.admin());
        raw = new RawApi(client);
        var access = plane.by(
                plane.apiPort(),
                new ComposedOverlay(new Kubectl(folder, plane.admin()), folder, "scheduler", "own-scheduler")
                        .token("sluice-scheduler"));
        sluice =
                SchedulerProcess.placing(folder, access, "127.0.0.2", new JsonObject().put("schedulerName", SCHEDULER));
        await().atMost(KubeFleet.WITHIN).until(sluice::isReady);
    }

    @AfterAll
    static void stop() {
        assertThat(new AuditLog(plane.auditLog()).forbidden("system:serviceaccount:kube-system:sluice-scheduler"))
                .as("requests that the overlay and the component give no right for")
                .isEmpty();
        sluice.close();
        client.close();
        plane.close();
    }

    @Test
    void bindsAVmsPodWhereTheLedgerHasRoomAndAnotherOnceThereIsRoom() {
        node("ledger-a", "ledger");
        node("ledger-b", "ledger");
        var uses = new Resources(3_000, 12L << 30);
        vmWithPod("first", uses);
        vmWithPod("second", uses);
        var nodes = List.of(boundTo("first-pod"), boundTo("second-pod"));
        assertThat(nodes).containsExactlyInAnyOrder("ledger-a", "ledger-b");
        await().atMost(KubeFleet.WITHIN)
                .untilAsserted(() -> assertThat(sluice.reserved())
                        .containsEntry("first-pod", uses)
                        .containsEntry("second-pod", uses));

        vmWithPod("third", uses);
        awaitReason("third-pod", "2 short of CPU by 2 and memory by 8Gi or more in the ledger");

        client.pods()
                .inNamespace("default")
                .withName("first-pod")
                .withGracePeriod(0)
                .delete();
        assertThat(boundTo("third-pod")).isEqualTo(nodes.getFirst());
        assertThat(condition("third-pod").path("status").asText()).isEqualTo("True");
    }

    @Test
    void obeysTheRulesThatTheLedgerDoesNotCount() {
        node("rules-a", "rules");
        node("rules-b", "rules");
        for (var name : List.of("apart-1", "apart-2", "apart-3")) {
            pod(name, "rules", "'labels':{'app':'apart'}", """
                'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':
                  'kubernetes.io/hostname','labelSelector':{'matchLabels':{'app':'apart'}}}]}},\
                """);
        }
        var names = Set.of("apart-1", "apart-2", "apart-3");
        await().atMost(KubeFleet.WITHIN)
                .untilAsserted(() -> assertThat(names.stream().map(OwnSchedulerOnKubernetesTest::node))
                        .containsExactlyInAnyOrder("rules-a", "rules-b", ""));
        var waiting =
                names.stream().filter(name -> node(name).isEmpty()).findFirst().orElseThrow();
        awaitReason(waiting, "2 near pods that anti-affinity excludes");

        pod("choosy", "nowhere", "", "");
        awaitReason("choosy", "not allowed by the pod's node selector or affinity");
    }

    @Test
    void evictsNothingWherePreemptionIsOff() {
        node("off-a", "off");
        created("/apis/scheduling.k8s.io/v1/priorityclasses", "{\"metadata\":{\"name\":\"high\"},\"value\":1000}");
        var labels = "'labels':{'app':'alone'}";
        var alone = """
            'affinity':{'podAntiAffinity':{'requiredDuringSchedulingIgnoredDuringExecution':[{'topologyKey':
              'kubernetes.io/hostname','labelSelector':{'matchLabels':{'app':'alone'}}}]}},\
            """;
        pod("stays", "off", labels, alone);
        assertThat(boundTo("stays")).isEqualTo("off-a");
        pod("higher", "off", labels, alone + "'priorityClassName':'high',");
        awaitReason("higher", "; pods of lower priority are not evicted for it, as placement.preemption is off");
        assertThat(raw.get(Residents.PODS + "/stays").body().at("/metadata").has("deletionTimestamp"))
                .isFalse();
    }

    @Test
    void refusesWhatItDoesNotSupportByName() {
        node("claims-a", "claims");
        pod("claiming", "claims", "", "'resourceClaims':[{'name':'gpu','resourceClaimName':'some-gpu'}],");
        awaitReason("claiming", "resource claims are not supported: gpu");
        assertThat(node("claiming")).isEmpty();
    }

    /** The test stands for the provisioner and for Kubernetes' controller of volumes. */
    @Test
    void aVolumeIsMadeForTheNodeThatIsChosenAndThePodIsBoundOnceItIsThere() {
        node("makes-a", "makes");
        node("makes-b", "makes");
        storageClass("made", "example.com/makes", "makes-b");
        claim("made", "made");
        pod("maker", "makes", "", VOLUME.formatted("made"));
        var path = CLAIMS + "/made";
        await().atMost(KubeFleet.WITHIN)
                .until(
                        () -> raw.get(path)
                                .body()
                                .path("metadata")
                                .path("annotations")
                                .path("volume.kubernetes.io/selected-node")
                                .asText(),
                        "makes-b"::equals);
        await().atMost(KubeFleet.WITHIN)
                .until(
                        () -> sluice.why("default/maker"),
                        why -> why.contains("its volumes are awaited for node makes-b"));
        assertThat(node("maker")).isEmpty();

        volume("new", "made", "makes-b", "'claimRef':{'namespace':'default','name':'made'},");
        merge(path, "{'spec':{'volumeName':'new'}}");
        assertThat(boundTo("maker")).isEqualTo("makes-b");
    }

    @Test
    void anExistingVolumeIsReservedForAClaimAndItsPodFollowsIt() {
        node("local-a", "local");
        node("local-b", "local");
        storageClass("local", "kubernetes.io/no-provisioner", "");
        claim("local", "local");
        volume("disk", "local", "local-b", "");
        merge("/api/v1/persistentvolumes/disk/status", "{'status':{'phase':'Available'}}");
        pod("local", "local", "", VOLUME.formatted("local"));
        await().atMost(KubeFleet.WITHIN)
                .until(
                        () -> raw.get("/api/v1/persistentvolumes/disk")
                                .body()
                                .at("/spec/claimRef/name")
                                .asText(),
                        "local"::equals);
        assertThat(node("local")).isEmpty();
        merge(CLAIMS + "/local", "{'spec':{'volumeName':'disk'}}");
        assertThat(boundTo("local")).isEqualTo("local-b");

        claim("none-left", "local");
        pod("unlucky", "local", "", VOLUME.formatted("none-left"));
        awaitReason("unlucky", "out of reach of the pod's volumes");
    }

    @Test
    void waitsForSchedulingGates() {
        node("gates-a", "gates");
        pod("gated", "gates", "", "'schedulingGates':[{'name':'example.com/wait'}],");
        pod("open", "gates", "", "");
        assertThat(boundTo("open")).isEqualTo("gates-a");
        assertThat(node("gated")).isEmpty();
        var opened = raw.patch(
                Residents.PODS + "/gated", "application/merge-patch+json", "{\"spec\":{\"schedulingGates\":[]}}");
        assertThat(opened.status()).as("%s", opened.body()).isEqualTo(200);
        assertThat(boundTo("gated")).isEqualTo("gates-a");
    }

    @Test
    void placesNothingWhileAnotherProcessHasTheLeaseAndGoesOnOnceThatHasExpired() {
        node("lease-a", "lease");
        var taken = raw.patch(LEASE, "application/merge-patch+json", """
            {"spec":{"holderIdentity":"another","leaseTransitions":99,"leaseDurationSeconds":15,"renewTime":"%s"}}\
            """.formatted(
                        Instant.now().truncatedTo(ChronoUnit.MICROS)));
        assertThat(taken.status()).as("%s", taken.body()).isEqualTo(200);
        await().atMost(KubeFleet.WITHIN)
                .until(() -> sluice.ops("/metrics"), metrics -> metrics.contains("sluice_scheduler_leads 0.0"));
        pod("later", "lease", "", "");
        assertThat(boundTo("later")).isEqualTo("lease-a");
        assertThat(raw.get(LEASE).body().at("/spec/holderIdentity").asText()).isNotEqualTo("another");
    }

    private static void storageClass(String name, String provisioner, String host) {
        created(
                "/apis/storage.k8s.io/v1/storageclasses",
                ("{'metadata':{'name':'" + name + "'},'provisioner':'" + provisioner
                                + "','volumeBindingMode':'WaitForFirstConsumer'"
                                + (host.isEmpty()
                                        ? ""
                                        : ",'allowedTopologies':[{'matchLabelExpressions':[{'key':"
                                                + "'kubernetes.io/hostname','values':['" + host + "']}]}]")
                                + "}")
                        .replace('\'', '"'));
    }

    private static void claim(String name, String storageClass) {
        created(
                CLAIMS,
                ("{'metadata':{'name':'" + name + "'},'spec':{'accessModes':['ReadWriteOnce'],'storageClassName':'"
                                + storageClass + "','resources':{'requests':{'storage':'1Gi'}}}}")
                        .replace('\'', '"'));
    }

    private static void volume(String name, String storageClass, String host, String more) {
        created(
                "/api/v1/persistentvolumes",
                ("{'metadata':{'name':'" + name + "'},'spec':{" + more + "'storageClassName':'" + storageClass
                                + "','accessModes':['ReadWriteOnce'],'capacity':{'storage':'2Gi'},'csi':{'driver':"
                                + "'csi.example.com','volumeHandle':'" + name + "'},'nodeAffinity':{'required':{"
                                                                              + "'nodeSelectorTerms':[{'matchExpressions':[{'key':'kubernetes.io/hostname','operator':"
                                                                              + "'In','values':['" + host + "']}]}]}}}}")
                        .replace('\'', '"'));
    }

    private static void merge(String path, String change) {
        var merged = raw.patch(path, Residents.MERGE, change.replace('\'', '"'));
        assertThat(merged.status()).as("%s", merged.body()).isEqualTo(200);
    }

    private static void node(String name, String only) {
        created("/api/v1/nodes", """
            {"metadata":{"name":"%1$s","labels":{"only":"%2$s","kubernetes.io/hostname":"%1$s"}},
             "status":{"allocatable":{"cpu":"%3$dm","memory":"%4$d","pods":"110"},
               "conditions":[{"type":"Ready","status":"True"}]}}\
            """.formatted(name, only, NODE.milliCpu(), NODE.memoryBytes()));
    }

    /** Creates a VM and its pod, which requests little and uses much. */
    private static void vmWithPod(String vm, Resources uses) {
        var made = created(Residents.VMS, """
            {"apiVersion":"vm.neon.tech/v1","kind":"VirtualMachine","metadata":{"name":"%s"},
             "spec":{"schedulerName":"%s","guest":{"cpus":{"min":"250m","max":4,"use":"%dm"},
               "memorySlots":{"min":1,"max":16,"use":%d},"memorySlotSize":"1Gi"}}}\
            """.formatted(vm, SCHEDULER, uses.milliCpu(), uses.memoryBytes() >> 30));
        pod(vm + "-pod", "ledger", """
            'labels':{'vm.neon.tech/name':'%1$s'},'annotations':{'vm.neon.tech/usage':'{\\"cpu\\":\\"%2$dm\\",\\"memory\\":\\"%3$d\\"}'},
            'ownerReferences':[{'apiVersion':'vm.neon.tech/v1','kind':'VirtualMachine','name':'%1$s','uid':'%4$s',
            'controller':true,'blockOwnerDeletion':true}]\
            """.formatted(vm, uses.milliCpu(), uses.memoryBytes(), Residents.uid(made)), "");
    }

    /** @param spec a piece of the pod's spec, which ends with a comma */
    private static void pod(String name, String only, String metadata, String spec) {
        created(
                Residents.PODS,
                ("{'metadata':{'name':'" + name + "'" + (metadata.isEmpty() ? "" : "," + metadata) + "},'spec':{" + spec
                                + "'schedulerName':'" + SCHEDULER + "','nodeSelector':{'only':'" + only
                                + "'},'containers':[{'name':'c','image':'none','resources':{'requests':{'cpu':'100m',"
                                + "'memory':'100Mi'}}}]}}")
                        .replace('\'', '"'));
    }

    private static JsonNode created(String path, String object) {
        var made = raw.post(path, object);
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
        return made.body();
    }

    private static String node(String pod) {
        return raw.get(Residents.PODS + "/" + pod).body().at("/spec/nodeName").asText("");
    }

    private static String boundTo(String pod) {
        return await().atMost(KubeFleet.WITHIN).until(() -> node(pod), node -> !node.isEmpty());
    }

    private static JsonNode condition(String pod) {
        return raw.get(Residents.PODS + "/" + pod)
                .body()
                .at("/status/conditions")
                .valueStream()
                .filter(condition -> condition.path("type").asText().equals("PodScheduled"))
                .findFirst()
                .orElseThrow();
    }

    /** Waits until the pod's condition and one Event have that reason. */
    private static void awaitReason(String pod, String reason) {
        await().atMost(KubeFleet.WITHIN).ignoreExceptions().untilAsserted(() -> {
            var condition = condition(pod);
            assertThat(condition.path("status").asText()).isEqualTo("False");
            assertThat(condition.path("reason").asText()).isEqualTo("Unschedulable");
            assertThat(condition.path("message").asText())
                    .startsWith("0/")
                    .contains(" nodes are available: ")
                    .contains(reason);
            assertThat(events(pod).filter(message -> message.contains(reason))).hasSize(1);
        });
    }

    private static Stream<String> events(String pod) {
        return raw.get(EVENTS)
                .body()
                .path("items")
                .valueStream()
                .filter(event -> event.at("/involvedObject/name").asText().equals(pod))
                .filter(event -> event.path("reason").asText().equals("FailedScheduling"))
                .map(event -> event.path("message").asText());
    }
}
