package io.sluice.kube.pods;

import static io.sluice.kube.pods.PodStage.MI;
import static io.sluice.kube.pods.PodStage.WITHIN;
import static io.sluice.kube.pods.PodStage.amounts;
import static io.sluice.kube.pods.PodStage.bounds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.bus.PodAddresses;
import io.sluice.kube.deploy.ComposedOverlay;
import io.sluice.kube.server.AuditLog;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.kube.server.Right;
import io.sluice.lab.api.RawApi;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.VmId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: ordinary pods are scaled in place by the same pipeline as VMs. Method: a real API server; a stand-in applies
 * what the specs say and serves samples, and hollow nodes, whose kubelet is real, defer and refuse.
 */
@OnKubernetes
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ScaledPodsOnKubernetesTest {
    private static final String USER = "system:serviceaccount:kube-system:sluice";
    private static final String NODE = "node-p";
    private static final String HOLLOW = "hollow";
    private static final String TWICE = "\"cpu\":\"400m\",\"memory\":\"256Mi\"";

    private static final String SAME = "\"cpu\":\"200m\",\"memory\":\"128Mi\"";
    private static final String NONE = "";
    private static final Duration SOON = Duration.ofSeconds(5);

    @TempDir
    private static Path folder;

    private static ControlPlane plane;
    private static KubeletStandIn kubelet;
    private static PodStage stage;
    private static Kubectl kubectl;
    private static Optional<HollowNode> hollow = Optional.empty();

    @BeforeAll
    static void start() throws Exception {
        plane = ControlPlane.audited(folder);
        kubectl = new Kubectl(folder, plane.admin());
        try (var client = KubernetesConnection.open(plane.admin())) {
            var raw = new RawApi(client);
            var admin = new RawApi(KubernetesConnection.open(plane.admin()));
            kubelet = new KubeletStandIn(admin, NODE, folder);
            kubelet.createNode("4", "8Gi");
        }
        stage = new PodStage(plane, account(), kubelet.samples.caFile);
        if (Files.isExecutable(plane.program("kubemark"))) {
            hollow = Optional.of(new HollowNode(plane, stage.raw, HOLLOW, folder));
        }
    }

    /** The access of the overlay's account, with the component's rights. */
    private static KubernetesConfig account() throws IOException {
        return plane.by(plane.apiPort(), withComponent().token("sluice"));
    }

    private static ComposedOverlay withComponent() throws IOException {
        return new ComposedOverlay(kubectl, folder, "all-in-one", "scaled-pods", "evict-scaled-pods");
    }

    @AfterAll
    static void stop() {
        hollow.ifPresent(HollowNode::close);
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
        awaitReserved("works", new Resources(900, 512 * MI));

        kubelet.works("works", 0.02, 40 * MI);
        stage.awaitRequests("works", new Resources(100, 64 * MI));
        awaitReserved("works", new Resources(100, 64 * MI));
        var pod = stage.pod("works");
        assertThat(pod.at("/status/qosClass").asText()).isEqualTo("Burstable");
        assertThat(pod.at("/status/containerStatuses/0/restartCount").asInt()).isZero();
        assertThat(kubelet.samples.tokens).hasSize(1).allMatch(token -> token.startsWith("Bearer eyJ"));
    }

    private static void awaitReserved(String pod, Resources size) {
        await().atMost(WITHIN)
                .untilAsserted(
                        () -> assertThat(stage.reservation(pod).orElseThrow().reserved())
                                .isEqualTo(size));
    }

    /** What a paused runner sends late changes nothing, whatever it was permitted. */
    @Test
    void aPausedRunnersLateResizeFails() {
        var vm = stage.createUnlabelled(NODE, "claimed", "200m", "128Mi", TWICE);
        var paused = claim(new ClaimVm(vm, "paused"));
        var size = new Resources(800, 256 * MI);
        var late = new PatchVm(vm, "", size, new Revision(1, 1), paused.fence(), "paused/1", SOON);
        var next = claim(new ClaimVm(vm, "next"));

        assertThat(PodStage.done(stage.bus.request(PodAddresses.RESIZE, late)))
                .isEqualTo(new PatchReply.Conflict(new Resources(200, 128 * MI), next.fence()));
        assertThat(stage.requests("claimed")).isEqualTo(new Resources(200, 128 * MI));
        // Its resize alone, as it would be sent with what it had read before the other claim.
        var stale = stage.raw.patch(
                PodStage.path("claimed") + "/resize", "application/json-patch+json", """
                    [{"op":"test","path":"/metadata/annotations/internal.autoscaling.sluice.io~1fence","value":"%s"},
                     {"op":"replace","path":"/spec/containers/0/resources/requests/cpu","value":"300m"}]\
                    """.formatted(paused.fence()));
        assertThat(stale.status()).isEqualTo(422);
    }

    private static ClaimReply.Claimed claim(ClaimVm request) {
        return (ClaimReply.Claimed) PodStage.done(stage.bus.request(PodAddresses.CLAIM, request));
    }

    /** Memory is sold again only once the status shows that the container gave it back. */
    @Test
    void lessMemoryIsGivenBackOnlyOnceTheStatusShowsIt() {
        stage.create(
                NODE,
                "held",
                "100m",
                "512Mi",
                "\"cpu\":\"200m\",\"memory\":\"1Gi\"",
                bounds("100m/64Mi", "100m/512Mi"));
        kubelet.works("held", 0.05, 300 * MI);
        await().atMost(WITHIN)
                .until(() -> stage.reservation("held")
                        .filter(held -> held.reserved().memoryBytes() == 512 * MI)
                        .isPresent());
        await().atMost(WITHIN).until(() -> stage.pod("held").at("/status/phase").asText(), "Running"::equals);
        kubelet.held.add("held");
        kubelet.works("held", 0.05, 40 * MI);

        await().atMost(WITHIN).until(() -> stage.requests("held").memoryBytes() < 512 * MI);
        await().during(Duration.ofSeconds(3))
                .atMost(WITHIN)
                .until(() -> stage.reservation("held").orElseThrow().reserved().memoryBytes() == 512 * MI);

        kubelet.held.remove("held");
        awaitReserved("held", new Resources(100, 64 * MI));
    }

    /** A working set that would not fit denies the downscale, with the reason. */
    @Test
    void memoryGoesDownOnlyWhileTheWorkingSetFits() {
        stage.create(
                NODE,
                "fits",
                "100m",
                "384Mi",
                "\"cpu\":\"200m\",\"memory\":\"384Mi\"",
                bounds("100m/64Mi", "100m/512Mi")
                        + ",\"autoscaling.sluice.io/config\":\"{\\\"memoryUsageFractionTarget\\\":0.99,\\\"memoryHeadroom\\\":0.2}\"");
        kubelet.works("fits", 0.05, 240 * MI);
        await().atMost(WITHIN)
                .until(() -> decisions("fits", Decision.Kind.DOWNSCALE_DENIED), found -> !found.isEmpty());
        assertThat(decisions("fits", Decision.Kind.DOWNSCALE_DENIED).getFirst().reason())
                .contains("its working set of 240Mi exceeds", "less 20 %");
        stage.awaitRequests("fits", new Resources(100, 320 * MI));
    }

    private static List<Decision> decisions(String pod, Decision.Kind kind) {
        return stage.decisions.stream()
                .filter(decision -> decision.vm().name().equals(pod) && decision.kind() == kind)
                .toList();
    }

    @Test
    void guaranteedStaysGuaranteed() {
        stage.create(NODE, "sure", "200m", "128Mi", SAME, bounds("100m/64Mi", "600m/256Mi"));
        kubelet.works("sure", 0.5, 40 * MI);
        stage.awaitRequests("sure", new Resources(600, 256 * MI));
        var pod = stage.pod("sure");
        assertThat(amounts(pod.at("/spec/containers/0/resources/limits"))).isEqualTo(new Resources(600, 256 * MI));
        assertThat(pod.at("/status/qosClass").asText()).isEqualTo("Guaranteed");
    }

    /** What a LimitRange refuses is not tried again and again, and the room for it is given back meanwhile. */
    @Test
    void whatALimitRangeRefusesIsNotTriedAgainSoon() {
        created("/api/v1/namespaces", "{\"metadata\":{\"name\":\"small\"}}");
        created("/api/v1/namespaces/small/limitranges", """
            {"metadata":{"name":"small"},"spec":{"limits":[{"type":"Container","max":{"cpu":"500m"}}]}}\
            """);
        stage.create(NODE, "small/ranged", "200m", "128Mi", SAME, bounds("200m/128Mi", "900m/128Mi"));
        kubelet.works("ranged", 0.8, 40 * MI);

        await().atMost(WITHIN)
                .until(() -> limit("small/ranged"), text -> text.contains("maximum cpu usage per Container is 500m"));
        var accepted = stage.requests("small/ranged");
        assertThat(accepted.milliCpu()).isBetween(200L, 500L);
        awaitReserved("ranged", accepted);
        await().atMost(WITHIN)
                .until(
                        () -> stage.events("ranged"),
                        events -> events.stream()
                                .anyMatch(event -> event.contains("maximum cpu usage per Container is 500m")));
    }

    private static String limit(String pod) {
        return stage.pod(pod)
                .at("/metadata/annotations/internal.autoscaling.sluice.io~1limit")
                .asText();
    }

    private static void created(String path, String object) {
        var made = stage.raw.post(path, object);
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    }

    /** The kubelet defers what it has no room for, and would apply it whenever there is: after the permit, too. */
    @Test
    void whatAKubeletDefersIsWithdrawnWhenItsPermitLapses() {
        needsHollowNode();
        stage.create(HOLLOW, "fills", "600m", "64Mi", NONE, bounds("600m/64Mi", "600m/64Mi"));
        var vm = stage.createUnlabelled(HOLLOW, "defers", "200m", "64Mi", NONE);
        awaitRunning("defers");
        var fence = claim(new ClaimVm(vm, "test")).fence();
        assertThat(stage.resize(vm, new Resources(800, 64 * MI), fence, 0))
                .isInstanceOf(PatchReply.Refused.class)
                .asString()
                .contains("deferred it until its permit had lapsed", "Node didn't have enough resource: cpu");
        var pod = stage.pod("defers");
        assertThat(amounts(pod.at("/spec/containers/0/resources/requests"))).isEqualTo(new Resources(200, 64 * MI));
        assertThat(pod.at("/status/containerStatuses/0/allocatedResources/cpu").asText())
                .isEqualTo("200m");
        assertThat(pod.at("/status/conditions").findValuesAsText("type")).doesNotContain("PodResizePending");
    }

    /** Room that appears before the permit lapses is used: the kubelet itself tries again. */
    @Test
    void aDeferredResizeIsAcceptedOnceThereIsRoom() {
        needsHollowNode();
        stage.create(HOLLOW, "leaves", "600m", "64Mi", NONE, bounds("600m/64Mi", "600m/64Mi"));
        var vm = stage.createUnlabelled(HOLLOW, "waits", "200m", "64Mi", NONE);
        awaitRunning("leaves");
        awaitRunning("waits");
        var fence = claim(new ClaimVm(vm, "test")).fence();
        var reply = stage.bus.request(
                PodAddresses.RESIZE,
                new PatchVm(
                        vm,
                        "",
                        new Resources(800, 64 * MI),
                        new Revision(1, 1),
                        fence,
                        next(fence),
                        SOON.multipliedBy(2)));
        await().atMost(WITHIN)
                .until(
                        () -> stage.pod("waits").at("/status/conditions").findValuesAsText("reason"),
                        reasons -> reasons.contains("Deferred"));
        delete("leaves");

        assertThat(PodStage.done(reply)).isInstanceOf(PatchReply.Patched.class);
        assertThat(stage.pod("waits")
                        .at("/status/containerStatuses/0/allocatedResources/cpu")
                        .asText())
                .isEqualTo("800m");
    }

    /** Requests of the pod as a whole are resized in place of a container's, and deferred by the same rules. */
    @Test
    void whatAPodHasAsAWholeIsResized() {
        needsHollowNode();
        stage.create(HOLLOW, "fills-w", "500m", "64Mi", NONE, bounds("500m/64Mi", "500m/64Mi"));
        var vm = stage.createWhole(HOLLOW, "whole", "200m", "64Mi");
        awaitRunning("whole");
        var fence = claim(new ClaimVm(vm, "test")).fence();
        var large = new Resources(400, 128 * MI);
        assertThat(stage.resize(vm, large, fence, 0)).isInstanceOf(PatchReply.Patched.class);
        assertThat(amounts(stage.pod("whole").at("/spec/resources/requests"))).isEqualTo(large);
        assertThat(amounts(stage.pod("whole").at("/status/allocatedResources"))).isEqualTo(large);

        assertThat(stage.resize(vm, new Resources(600, 128 * MI), fence, 1))
                .isInstanceOf(PatchReply.Refused.class)
                .asString()
                .contains("Node didn't have enough");
        assertThat(amounts(stage.pod("whole").at("/spec/resources/requests"))).isEqualTo(large);
    }

    /** A process that resized a pod and is gone leaves a deferred resize behind: another one withdraws it. */
    @Test
    void aDeferredResizeOfAProcessThatIsGoneIsWithdrawn() {
        needsHollowNode();
        stage.create(HOLLOW, "fills-o", "600m", "64Mi", NONE, bounds("600m/64Mi", "600m/64Mi"));
        // It requests no memory, so no runner scales it.
        created("/api/v1/namespaces/default/pods", """
            {"metadata":{"name":"orphan","labels":{"autoscaling.sluice.io/enabled":"true"}},
             "spec":{"nodeName":"%s","automountServiceAccountToken":false,
               "containers":[{"name":"main","image":"none","resources":{"requests":{"cpu":"200m"}}}]}}\
            """.formatted(HOLLOW));
        awaitRunning("orphan");
        var uid = stage.pod("orphan").at("/metadata/uid").asText();
        claim(new ClaimVm(new VmId("pod", "default", "orphan", uid), "gone"));
        var resized = stage.raw.patch(PodStage.path("orphan") + "/resize", "application/json-patch+json", """
            [{"op":"replace","path":"/spec/containers/0/resources/requests/cpu","value":"800m"}]\
            """);
        assertThat(resized.status()).as("%s", resized.body()).isEqualTo(200);
        await().atMost(WITHIN)
                .until(
                        () -> stage.pod("orphan").at("/status/conditions").findValuesAsText("reason"),
                        reasons -> reasons.contains("Deferred"));
        // While it may still be applied, it counts.
        await().atMost(WITHIN)
                .until(() ->
                        stage.reservation("orphan").orElseThrow().reserved().milliCpu() == 800);

        stage.awaitRequests("orphan", new Resources(200, 0));
        awaitReserved("orphan", new Resources(200, 0));
    }

    /**
     * A real kubelet refuses a resize for good only with a static CPU or memory policy or swap, which a hollow node
     * does not have: the stand-in does as documented. The room is given back until the node changes.
     */
    @Test
    void whatAKubeletFindsInfeasibleIsWithdrawnUntilTheNodeChanges() {
        stage.create(NODE, "static", "200m", "128Mi", SAME, bounds("200m/128Mi", "600m/128Mi"));
        awaitRunning("static");
        kubelet.refusing.add("static");
        kubelet.works("static", 0.8, 40 * MI);

        await().atMost(WITHIN).until(() -> limit("static"), text -> text.contains("infeasible"));
        stage.awaitRequests("static", new Resources(200, 128 * MI));
        awaitReserved("static", new Resources(200, 128 * MI));
        await().atMost(WITHIN)
                .until(
                        () -> stage.events("static"),
                        events -> events.stream().anyMatch(event -> event.contains("CPU Manager policy")));

        kubelet.refusing.remove("static");
        var changed = stage.raw.patch("/api/v1/nodes/" + NODE + "/status", "application/merge-patch+json", """
            {"status":{"allocatable":{"cpu":"5"}}}\
            """);
        assertThat(changed.status()).as("%s", changed.body()).isEqualTo(200);
        stage.awaitRequests("static", new Resources(600, 128 * MI));
        assertThat(limit("static")).isEmpty();
    }

    /** No node has so much CPU, so the ledger denies the rest; a disruption budget forbids the eviction at first. */
    @Test
    void aPodThatMayBeEvictedLeavesOnceItsBudgetAllowsIt() {
        created(PodStage.BUDGETS, """
            {"metadata":{"name":"cramped"},"spec":{"minAvailable":1,"selector":{"matchLabels":{"app":"cramped"}}}}\
            """);
        stage.allow("cramped", 0);
        stage.createOwned(
                NODE,
                "cramped",
                "of-cramped",
                "\"cpu\":\"200m\",\"memory\":\"128Mi\"",
                bounds("200m/128Mi", "30/128Mi"));
        kubelet.works("cramped", 29, 40 * MI);

        awaitEvent("cramped", "it is not evicted: a disruption budget refuses it");
        assertThat(stage.pod("cramped").at("/metadata").has("deletionTimestamp"))
                .isFalse();
        assertThat(stage.evictions("cramped")).isEmpty();

        stage.allow("cramped", 1);
        await().atMost(WITHIN)
                .until(() -> stage.raw.get(PodStage.path("cramped")).status() == 404);
        awaitEvent("cramped", "it is evicted: its node has had no room for its growth for ");
        assertThat(stage.evictions("cramped"))
                .hasSize(1)
                .first()
                .satisfies(decision -> assertThat(decision.node()).isEqualTo(NODE));
    }

    /** What the kubelet defers counts as the ledger's denial does. No runner scales a pod that requests no memory. */
    @Test
    void aPodIsEvictedWhereItsKubeletDefersItsGrowth() {
        needsHollowNode();
        stage.create(HOLLOW, "fills-e", "600m", "64Mi", NONE, bounds("600m/64Mi", "600m/64Mi"));
        stage.createOwned(HOLLOW, "deferred", "of-deferred", "\"cpu\":\"200m\"", bounds("200m/64Mi", "1/64Mi"));
        awaitRunning("deferred");
        var uid = stage.pod("deferred").at("/metadata/uid").asText();
        claim(new ClaimVm(new VmId("pod", "default", "deferred", uid), "gone"));
        stage.raw.patch(PodStage.path("deferred") + "/resize", "application/json-patch+json", """
            [{"op":"replace","path":"/spec/containers/0/resources/requests/cpu","value":"800m"}]\
            """);

        awaitEvent("deferred", "its kubelet defers a resize: ");
        assertThat(stage.evictions("deferred")).hasSize(1);
    }

    /** It has no load itself, so only its predecessor's is a reason to grow. */
    @Test
    void aPodThatIsMadeAnewBeginsAtWhatItsPredecessorNeeded() {
        var requests = "\"cpu\":\"200m\",\"memory\":\"128Mi\"";
        stage.createOwned(NODE, "elder", "of-heirs", requests, bounds("200m/128Mi", "1/128Mi"));
        kubelet.works("elder", 0.8, 40 * MI);
        stage.awaitRequests("elder", new Resources(900, 128 * MI));
        delete("elder");

        stage.createOwned(NODE, "heir", "of-heirs", requests, bounds("200m/128Mi", "1/128Mi"));
        stage.awaitRequests("heir", new Resources(900, 128 * MI));
        awaitReserved("heir", new Resources(900, 128 * MI));
    }

    private static void awaitEvent(String pod, String words) {
        await().atMost(WITHIN)
                .until(() -> stage.events(pod), events -> events.stream().anyMatch(event -> event.contains(words)));
    }

    /** Each test fills the node anew. */
    private static void needsHollowNode() {
        assumeTrue(hollow.isPresent(), "the control plane has no kubemark");
        stage.raw
                .get("/api/v1/pods?fieldSelector=spec.nodeName%3D" + HOLLOW)
                .body()
                .path("items")
                .forEach(pod -> delete(pod.at("/metadata/name").asText()));
    }

    private static void delete(String pod) {
        stage.raw.delete(PodStage.path(pod), "{\"gracePeriodSeconds\":0}");
    }

    private static void awaitRunning(String pod) {
        await().atMost(WITHIN).until(() -> stage.pod(pod).at("/status/phase").asText(), "Running"::equals);
    }

    /** Played last: what all others needed is what the component grants, and no more. */
    @Test
    @Order(Integer.MAX_VALUE)
    void theComponentGrantsWhatIsUsedAndNothingElse() throws IOException {
        var more = withComponent().rightsBeyond(new ComposedOverlay(kubectl, folder, "all-in-one"));
        var toEvict = new Right("", "pods/eviction", "create");
        var ofTheKubelet = new Right("", "nodes/metrics", "get");
        assertThat(more)
                .containsExactlyInAnyOrder(
                        new Right("", "pods", "get"),
                        new Right("", "pods", "patch"),
                        new Right("", "pods/resize", "patch"),
                        new Right("", "nodes", "get"),
                        toEvict,
                        ofTheKubelet);
        assertThat(new ComposedOverlay(kubectl, folder, "all-in-one", "scaled-pods").rights())
                .doesNotContain(toEvict);
        more.remove(ofTheKubelet);
        var audit = new AuditLog(plane.auditLog());
        assertThat(audit.used(USER)).containsAll(more);
        assertThat(audit.forbidden(USER)).allMatch(words -> words.contains("maximum cpu usage per Container is 500m"));
        assertThatThrownBy(() -> kubectl.run("auth", "can-i", "get", "nodes", "--subresource=proxy", "--as=" + USER))
                .hasMessageEndingWith("no\n");
    }

    private static String next(String fence) {
        return fence.substring(0, fence.lastIndexOf('/')) + "/1";
    }
}
