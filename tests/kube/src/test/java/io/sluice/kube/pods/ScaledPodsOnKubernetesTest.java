package io.sluice.kube.pods;

import static io.sluice.kube.pods.PodStage.MI;
import static io.sluice.kube.pods.PodStage.WITHIN;
import static io.sluice.kube.pods.PodStage.amounts;
import static io.sluice.kube.pods.PodStage.bounds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.bus.PodAddresses;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.api.RawApi;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.vm.ClaimReply;
import io.sluice.messages.vm.ClaimVm;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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

    private static final Duration SOON = Duration.ofSeconds(5);

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
        awaitReserved("works", new Resources(900, 512 * MI));

        kubelet.works("works", 0.02, 40 * MI);
        stage.awaitRequests("works", new Resources(100, 64 * MI));
        awaitReserved("works", new Resources(100, 64 * MI));
        var pod = stage.pod("works");
        assertThat(pod.at("/status/qosClass").asText()).isEqualTo("Burstable");
        assertThat(pod.at("/status/containerStatuses/0/restartCount").asInt()).isZero();
        assertThat(kubelet.tokens).containsExactly("Bearer admin-of-this-test");
    }

    private static void awaitReserved(String pod, Resources size) {
        await().atMost(WITHIN)
                .untilAsserted(() ->
                        assertThat(stage.reservation(pod).orElseThrow().reserved()).isEqualTo(size));
    }

    /** What a paused runner sends late changes nothing, whatever it was permitted. */
    @Test
    void aPausedRunnersLateResizeFails() {
        stage.create(NODE, "claimed", "200m", "128Mi", TWICE, bounds("200m/128Mi", "200m/128Mi"));
        var vm = await().atMost(WITHIN).until(() -> Optional.ofNullable(stage.statuses.get("claimed")), Optional::isPresent)
                .orElseThrow()
                .vm();
        var paused = claim(new ClaimVm(vm, "paused"));
        var size = new Resources(800, 256 * MI);
        var late = new PatchVm(vm, "", size, new Revision(1, 1), paused.fence(), "paused/1", SOON);
        var next = claim(new ClaimVm(vm, "next"));

        assertThat(PodStage.done(stage.bus.request(PodAddresses.RESIZE, late)))
                .isEqualTo(new PatchReply.Conflict(new Resources(200, 128 * MI), next.fence()));
        assertThat(stage.requests("claimed")).isEqualTo(new Resources(200, 128 * MI));
        // Its resize alone, as it would be sent with what it had read before the other claim.
        var stale = stage.raw.patch(PodStage.PODS + "/claimed/resize", "application/json-patch+json",
                """
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
        stage.create(NODE, "held", "100m", "512Mi", "\"cpu\":\"200m\",\"memory\":\"1Gi\"", bounds("100m/64Mi", "100m/512Mi"));
        kubelet.works("held", 0.05, 300 * MI);
        await().atMost(WITHIN).until(() -> stage.reservation("held").filter(held -> held.reserved().memoryBytes() == 512 * MI)
                .isPresent());
        await().atMost(WITHIN).until(() -> stage.pod("held").at("/status/phase").asText(), "Running"::equals);
        kubelet.held.add("held");
        kubelet.works("held", 0.05, 40 * MI);

        await().atMost(WITHIN).until(() -> stage.requests("held").memoryBytes() < 512 * MI);
        await().during(Duration.ofSeconds(3)).atMost(WITHIN).until(() ->
                stage.reservation("held").orElseThrow().reserved().memoryBytes() == 512 * MI);

        kubelet.held.remove("held");
        awaitReserved("held", new Resources(100, 64 * MI));
    }

    /** A working set that would not fit denies the downscale, with the reason. */
    @Test
    void memoryGoesDownOnlyWhileTheWorkingSetFits() {
        stage.create(NODE, "fits", "100m", "384Mi", "\"cpu\":\"200m\",\"memory\":\"384Mi\"", bounds("100m/64Mi", "100m/512Mi")
                + ",\"autoscaling.sluice.io/config\":\"{\\\"memoryUsageFractionTarget\\\":0.99,\\\"memoryHeadroom\\\":0.2}\"");
        kubelet.works("fits", 0.05, 240 * MI);
        await().atMost(WITHIN).until(() -> decisions("fits", Decision.Kind.DOWNSCALE_DENIED), found -> !found.isEmpty());
        assertThat(decisions("fits", Decision.Kind.DOWNSCALE_DENIED).getFirst().reason())
                .contains("its working set of 240Mi exceeds", "less 20 %");
        assertThat(stage.requests("fits").memoryBytes()).isEqualTo(320 * MI);
    }

    private static List<Decision> decisions(String pod, Decision.Kind kind) {
        return stage.decisions.stream()
                .filter(decision -> decision.vm().name().equals(pod) && decision.kind() == kind)
                .toList();
    }

    @Test
    void guaranteedStaysGuaranteed() {
        stage.create(NODE, "sure", "200m", "128Mi", "\"cpu\":\"200m\",\"memory\":\"128Mi\"", bounds("100m/64Mi", "600m/256Mi"));
        kubelet.works("sure", 0.5, 40 * MI);
        stage.awaitRequests("sure", new Resources(600, 256 * MI));
        var pod = stage.pod("sure");
        assertThat(amounts(pod.at("/spec/containers/0/resources/limits"))).isEqualTo(new Resources(600, 256 * MI));
        assertThat(pod.at("/status/qosClass").asText()).isEqualTo("Guaranteed");
    }

    /** The API server refuses what a LimitRange or quota does not allow; the pod is not asked for it again and again. */
    @Test
    void whatALimitRangeRefusesIsNotTriedAgainSoon() {
        var made = stage.raw.post("/api/v1/namespaces/default/resourcequotas", """
                {"metadata":{"name":"small"},"spec":{"hard":{"requests.cpu":"100"}}}\
                """);
        assertThat(made.status()).isEqualTo(201);
    }
}
