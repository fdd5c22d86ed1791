package io.sluice.kube.pods;

import static io.sluice.kube.pods.PodStage.MI;
import static io.sluice.kube.pods.PodStage.amounts;
import static io.sluice.kube.pods.PodStage.bounds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.kube.SchedulerProcess;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Meddler;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.lab.api.RawApi;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.shell.LoopbackPorts;
import io.sluice.units.Resources;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a pod gets its size, and never more than is reserved, whichever process with the role pods stands still or dies
 * in the middle of a resize. Method: two such processes beside one with ledger and agent, each with a proxy before the
 * API server, which holds a resize back while its sender is stopped, and passes it on later.
 */
@OnKubernetes
class PodDriversOnKubernetesTest {
    private static final String NODE = "node-p";
    private static final String POD = "works";
    private static final Resources LARGE = new Resources(900, 512 * MI);
    private static final Resources SMALL = new Resources(100, 64 * MI);
    private static final Predicate<String> RESIZES = line -> line.startsWith("PATCH ") && line.endsWith("/resize");
    private static final Predicate<String> NONE = line -> false;

    @TempDir
    private Path folder;

    private final int ledgerPort = LoopbackPorts.next();
    private RawApi raw;
    private KubeletStandIn kubelet;
    private SchedulerProcess ledger;

    /** A process with the role pods, and its way to the API server. */
    private record Driver(SchedulerProcess process, Meddler api) implements AutoCloseable {
        @Override
        public void close() {
            process.close();
            api.close();
        }
    }

    @Test
    void aPodGetsItsSizeWhicheverProcessStandsStillOrDiesInTheMiddleOfAResize() throws Exception {
        try (var plane = ControlPlane.start(folder);
                var client = KubernetesConnection.open(plane.admin())) {
            raw = new RawApi(client);
            try (var standIn = new KubeletStandIn(raw, NODE, folder)) {
                kubelet = standIn;
                createNode();
                play(plane.admin());
            }
        }
    }

    private void play(KubernetesConfig admin) {
        try (var main = process(admin, "127.0.0.21", "ledger", "cluster", "vm", "agent", "monitor");
                var one = driver(admin, "127.0.0.22");
                var two = driver(admin, "127.0.0.23")) {
            ledger = main;
            soon().until(() ->
                    main.isReady() && one.process().isReady() && two.process().isReady());
            createPod();
            standsStill(one, two);
            dies(one, two);
        }
    }

    /** What a process sent before it stood still is passed on once the other one has resized the pod. */
    private void standsStill(Driver one, Driver two) {
        var struck = struck(one, two, LARGE, 0.8);
        struck.process().pause();
        awaitSize(LARGE);

        assertThat(struck.api().passDelayed()).isNotEmpty().allMatch(status -> status >= 400);
        assertThat(requests()).isEqualTo(LARGE);

        struck.process().goOn();
        kubelet.works(POD, 0.02, 40 * MI);
        awaitSize(SMALL);
        soon().until(() -> struck.process().isReady());
    }

    /** The other one gives the pod its size; what the dead one sent fails. */
    private void dies(Driver one, Driver two) {
        var struck = struck(one, two, LARGE, 0.8);
        struck.process().close();
        awaitSize(LARGE);
        assertThat(struck.api().passDelayed()).isNotEmpty().allMatch(status -> status >= 400);
        assertThat(requests()).isEqualTo(LARGE);
    }

    /** Raises the load, and returns the process whose resize is held back. */
    private Driver struck(Driver one, Driver two, Resources size, double cpus) {
        var both = List.of(one, two);
        both.forEach(driver -> driver.api().delay(RESIZES));
        kubelet.works(POD, cpus, 40 * MI);
        soon().until(() ->
                both.stream().anyMatch(driver -> !driver.api().delayed().isEmpty()));
        assertThat(requests()).isNotEqualTo(size);
        var struck = one.api().delayed().isEmpty() ? two : one;
        (struck == one ? two : one).api().delay(NONE);
        return struck;
    }

    private void awaitSize(Resources size) {
        soon().untilAsserted(() -> {
            checkReserved();
            assertThat(requests()).isEqualTo(size);
            assertThat(reserved()).contains(size);
        });
    }

    /** What the pod has is reserved; reservations are read before and after it, as it may change meanwhile. */
    private void checkReserved() {
        var before = reserved();
        var pod = raw.get(PodStage.path(POD)).body();
        var has = requests().max(amounts(pod.at("/status/containerStatuses/0/allocatedResources")));
        var most = Stream.of(before, reserved()).flatMap(Optional::stream).reduce(Resources::max);
        assertThat(most.filter(has::exceeds))
                .as("reserved, for a pod of %s", has)
                .isEmpty();
    }

    private Optional<Resources> reserved() {
        return ledger.reserved(NODE, POD);
    }

    private Resources requests() {
        return amounts(raw.get(PodStage.path(POD)).body().at("/spec/containers/0/resources/requests"));
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(150)).pollInterval(Duration.ofMillis(200));
    }

    private Driver driver(KubernetesConfig admin, String host) {
        var api = new Meddler(admin);
        return new Driver(process(api.config(admin.watchSilence()), host, "pods"), api);
    }

    private SchedulerProcess process(KubernetesConfig access, String host, String... roles) {
        boolean isLedger = List.of(roles).contains("ledger");
        var sections = new JsonObject()
                .put(
                        "roles",
                        new JsonArray(Stream.concat(Stream.of(roles), Stream.of("gateway"))
                                .toList()))
                .put(
                        "hazelcast",
                        new JsonObject()
                                .put("join", "tcp")
                                .put("addresses", new JsonArray().add("127.0.0.1:" + ledgerPort))
                                .put("port", isLedger ? ledgerPort : LoopbackPorts.next())
                                .put("busPort", LoopbackPorts.next())
                                .put("ledgers", 1))
                .put("lease", new JsonObject().put("enabled", false))
                .put("ledger", new JsonObject().put("permitValidFor", "8s"))
                .put("cluster", new JsonObject().put("scalePods", true).put("reclaimAfter", "10s"))
                .put(
                        "agent",
                        new JsonObject()
                                .put("permitValidFor", "8s")
                                .put(
                                        "computeUnit",
                                        new JsonObject().put("cpu", "100m").put("memory", "64Mi")))
                .put(
                        "pods",
                        new JsonObject()
                                .put("kubeletCaFile", kubelet.samples.caFile)
                                .put("scrapeEvery", "250ms")
                                .put("withdrawAfter", "10s"))
                .put(
                        "gateway",
                        new JsonObject()
                                .put("vmMetrics", new JsonObject().put("port", 0))
                                .put("dump", new JsonObject().put("port", 0)));
        return SchedulerProcess.with(folder, access, host, sections);
    }

    private void createNode() {
        kubelet.createNode("4", "8Gi");
    }

    private void createPod() {
        kubelet.works(POD, 0.1, 40 * MI);
        var created =
                raw.post("/api/v1/namespaces/default/pods", """
                    {"metadata":{"name":"%s","labels":{"autoscaling.sluice.io/enabled":"true"},"annotations":{%s}},
                     "spec":{"nodeName":"%s","automountServiceAccountToken":false,"terminationGracePeriodSeconds":0,
                       "containers":[{"name":"main","image":"none","resources":{
                         "requests":{"cpu":"200m","memory":"128Mi"},"limits":{"cpu":"400m","memory":"256Mi"}}}]}}\
                    """.formatted(POD, bounds("100m/64Mi", "1/512Mi"), NODE));
        assertThat(created.status()).as("%s", created.body()).isEqualTo(201);
        soon().untilAsserted(() -> assertThat(reserved()).isPresent());
    }
}
