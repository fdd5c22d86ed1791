package io.sluice.kube.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.sluice.agent.AgentVerticle;
import io.sluice.bus.AgentAddresses;
import io.sluice.bus.Bus;
import io.sluice.bus.LedgerAddresses;
import io.sluice.bus.PlacementAddresses;
import io.sluice.bus.PodAddresses;
import io.sluice.kube.server.ControlPlane;
import io.sluice.lab.api.RawApi;
import io.sluice.launcher.config.SluiceConfig;
import io.sluice.ledger.LedgerVerticle;
import io.sluice.messages.agent.Decision;
import io.sluice.messages.agent.RunnerStatus;
import io.sluice.messages.ledger.ReservationView;
import io.sluice.messages.ledger.SnapshotRequest;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.vm.PatchReply;
import io.sluice.messages.vm.PatchVm;
import io.sluice.monitor.MonitorVerticle;
import io.sluice.neonvm.api.KubernetesConfig;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.neonvm.events.VmEventVerticle;
import io.sluice.neonvm.patch.VmPatchVerticle;
import io.sluice.neonvm.watch.ClusterVerticle;
import io.sluice.pods.PodVerticle;
import io.sluice.pods.node.NodeAgentVerticle;
import io.sluice.pods.node.core.NodeAgentConfig;
import io.sluice.shell.Dumps;
import io.sluice.shell.MonotonicClock;
import io.sluice.shell.Quantities;
import io.sluice.shell.Readiness;
import io.sluice.shell.Shell;
import io.sluice.shell.config.ConfigReader;
import io.sluice.shell.config.ConfigSources;
import io.sluice.shell.config.YamlText;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import io.sluice.units.ScaledPodKeys;
import io.sluice.units.VmId;
import io.vertx.core.Deployable;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** The roles that scale pods, in one process at the demo's pace, on a real API server. */
final class PodStage implements AutoCloseable {
    static final Duration WITHIN = Duration.ofSeconds(60);
    static final long MI = 1 << 20;
    static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";

    /**
     * The label of NeonVM's runner pods: a claimed pod without any is a VM that was switched off, whose fence the
     * ledger has claimed.
     */
    private static final String OF_NO_VM = "\"vm.neon.tech/name\":\"none\"";

    private static final Path DEMO = Path.of("..", "..", "config", "demo.yaml");
    private static final Duration STEP_WITHIN = Duration.ofSeconds(60);

    final Bus bus;
    final RawApi raw;
    final Map<String, RunnerStatus> statuses = new ConcurrentHashMap<>();
    final List<Decision> decisions = new CopyOnWriteArrayList<>();
    final List<PlacementDecision> placing = new CopyOnWriteArrayList<>();
    private final Vertx vertx = Vertx.vertx();
    private final KubernetesClient client;
    private final KubernetesClient admin;
    private final SluiceConfig config;
    private final Shell shell;
    private KubernetesClient agentClient;

    /** @param account the access with which it runs; the test itself has all rights */
    PodStage(ControlPlane plane, KubernetesConfig account, String kubeletCa) {
        var changes = new HashMap<>(Map.of(
                "sluice.pods.evictAfter", "3s",
                "sluice.pods.startAs", "predecessor",
                "sluice.agent.computeUnit.cpu", "100m",
                "sluice.agent.computeUnit.memory", "64Mi",
                "sluice.cluster.scalePods", "true",
                "sluice.pods.scrapeEvery", "250ms",
                "sluice.pods.waitingEvery", "500ms",
                "sluice.pods.withdrawAfter", "5s",
                "sluice.pods.kubeletCaFile", kubeletCa));
        config = ConfigReader.read(
                SluiceConfig.class,
                SluiceConfig.DEFAULTS,
                new ConfigSources(YamlText.read(DEMO), Map.of(), changes).without("lab"));
        var kubernetes = account;
        shell = new Shell(
                new MonotonicClock(),
                new SimpleMeterRegistry(),
                new SimpleMeterRegistry(),
                new Readiness(),
                new Dumps(),
                new Random(1));
        client = KubernetesConnection.open(kubernetes, shell.meters());
        admin = KubernetesConnection.open(plane.admin());
        raw = new RawApi(admin);
        bus = new Bus(vertx);
        done(bus.subscribe(
                AgentAddresses.STATUS, status -> statuses.put(status.vm().name(), status)));
        done(bus.subscribe(AgentAddresses.DECISION, decisions::add));
        done(bus.subscribe(PlacementAddresses.DECISION, placing::add));
        deploy(new LedgerVerticle(config.ledger(), shell));
        deploy(new VmPatchVerticle(config.vm(), kubernetes, shell, client));
        deploy(new VmEventVerticle(config.vm(), kubernetes, shell, client));
        deploy(new PodVerticle(config.pods(), shell, client));
        deploy(new MonitorVerticle(config.monitor(), shell));
        deploy(new AgentVerticle(config.agent(), shell));
        deploy(new ClusterVerticle(config.cluster(), kubernetes, shell, client));
    }

    /** @param account the access of the node agent */
    void startNodeAgent(NodeAgentConfig agent, KubernetesConfig account) {
        agentClient = KubernetesConnection.open(account);
        deploy(new NodeAgentVerticle(agent, shell, agentClient));
    }

    private void deploy(Deployable verticle) {
        done(vertx.deployVerticle(verticle));
    }

    static <T> T done(Future<T> future) {
        try {
            return future.toCompletionStage().toCompletableFuture().get(STEP_WITHIN.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    /** Creates a pod on a node, as {@code name} or {@code namespace/name}. */
    void create(String node, String pod, String cpu, String memory, String limits, String annotations) {
        create(node, pod, "\"autoscaling.sluice.io/enabled\":\"true\"", cpu, memory, limits, annotations);
    }

    /** The same, of a pod that no runner scales: only the test resizes it, by the driver. */
    VmId createUnlabelled(String node, String pod, String cpu, String memory, String limits) {
        create(node, pod, OF_NO_VM, cpu, memory, limits, "");
        var uid = pod(pod).at("/metadata/uid").asText();
        return new VmId(ScaledPodKeys.DRIVER, "default", pod, uid);
    }

    private void create(
            String node, String pod, String labels, String cpu, String memory, String limits, String annotations) {
        var name = pod.substring(pod.indexOf('/') + 1);
        var created = raw.post(path(pod).replaceAll("/[^/]*$", ""), """
            {"metadata":{"name":"%s","labels":{%s},"annotations":{%s}},
             "spec":{"nodeName":"%s","automountServiceAccountToken":false,"terminationGracePeriodSeconds":0,
               "containers":[{"name":"main","image":"none","resources":{
                 "requests":{"cpu":"%s","memory":"%s"},"limits":{%s}}}]}}\
            """.formatted(
                        name, labels, annotations, node, cpu, memory, limits));
        assertThat(created.status()).as("%s", created.body()).isEqualTo(201);
    }

    /** A pod that may be evicted, and that a ReplicaSet would make anew. */
    void createOwned(String node, String name, String owner, String requests, String annotations) {
        var created =
                raw.post("/api/v1/namespaces/default/pods", """
                    {"metadata":{"name":"%1$s","labels":{"autoscaling.sluice.io/enabled":"true","app":"%1$s"},
                       "annotations":{%3$s,"autoscaling.sluice.io/config":"{\\"evict\\":true}"},
                       "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"%1$s","uid":"%5$s",
                         "controller":true}]},
                     "spec":{"nodeName":"%2$s","automountServiceAccountToken":false,"terminationGracePeriodSeconds":0,
                       "containers":[{"name":"main","image":"none","resources":{"requests":{%4$s}}}]}}\
                    """.formatted(name, node, annotations, requests, owner));
        assertThat(created.status()).as("%s", created.body()).isEqualTo(201);
    }

    /** A pod of two containers with requests as a whole, that no runner scales. */
    VmId createWhole(String node, String name, String cpu, String memory) {
        var created = raw.post("/api/v1/namespaces/default/pods", """
            {"metadata":{"name":"%s","labels":{%s}},
             "spec":{"nodeName":"%s","automountServiceAccountToken":false,"terminationGracePeriodSeconds":0,
               "resources":{"requests":{"cpu":"%s","memory":"%s"}},
               "containers":[{"name":"main","image":"none","resources":{"requests":{"cpu":"50m","memory":"16Mi"}}},
                 {"name":"side","image":"none"}]}}\
            """.formatted(name, OF_NO_VM, node, cpu, memory));
        assertThat(created.status()).as("%s", created.body()).isEqualTo(201);
        return new VmId(
                ScaledPodKeys.DRIVER,
                "default",
                name,
                pod(name).at("/metadata/uid").asText());
    }

    /** Resizes a pod by the driver. Its fence has had so many resizes. */
    PatchReply resize(VmId vm, Resources to, String fence, int resizes) {
        var claim = fence.substring(0, fence.lastIndexOf('/') + 1);
        return done(bus.request(
                PodAddresses.RESIZE,
                new PatchVm(
                        vm,
                        "",
                        to,
                        new Revision(1 + resizes, 1),
                        claim + resizes,
                        claim + (resizes + 1),
                        Duration.ofSeconds(5))));
    }

    /** What the disruption controller would write. */
    void allow(String budget, int disruptions) {
        var patched = raw.patch(
                BUDGETS + "/" + budget + "/status", "application/merge-patch+json", """
                    {"status":{"observedGeneration":1,"disruptionsAllowed":%d,"currentHealthy":1,"desiredHealthy":1,
                      "expectedPods":1}}\
                    """.formatted(disruptions));
        assertThat(patched.status()).as("%s", patched.body()).isEqualTo(200);
    }

    List<PlacementDecision> evictions(String pod) {
        return placing.stream()
                .filter(decision -> decision.name().equals(pod) && decision.kind() == PlacementDecision.Kind.EVICTED)
                .toList();
    }

    static String bounds(String min, String max) {
        return "\"autoscaling.sluice.io/bounds\":\"{\\\"min\\\":{%s},\\\"max\\\":{%s}}\""
                .formatted(amount(min), amount(max));
    }

    private static String amount(String cpuAndMemory) {
        var parts = cpuAndMemory.split("/");
        return "\\\"cpu\\\":\\\"%s\\\",\\\"mem\\\":\\\"%s\\\"".formatted(parts[0], parts[1]);
    }

    static String path(String pod) {
        int slash = pod.indexOf('/');
        var namespace = slash < 0 ? "default" : pod.substring(0, slash);
        return "/api/v1/namespaces/" + namespace + "/pods/" + pod.substring(slash + 1);
    }

    JsonNode pod(String name) {
        return raw.get(path(name)).body();
    }

    Resources requests(String name) {
        return amounts(pod(name).at("/spec/containers/0/resources/requests"));
    }

    static Resources amounts(JsonNode list) {
        return new Resources(
                Quantities.milliCpu(list.path("cpu").asText("0")),
                Quantities.bytes(list.path("memory").asText("0")));
    }

    Optional<ReservationView> reservation(String name) {
        return done(bus.request(LedgerAddresses.SNAPSHOT, new SnapshotRequest(""))).nodes().stream()
                .flatMap(node -> node.reservations().stream())
                .filter(reservation -> reservation.name().equals(name))
                .findFirst();
    }

    void awaitRequests(String name, Resources size) {
        await().atMost(WITHIN)
                .untilAsserted(() ->
                        assertThat(requests(name)).as("%s", statuses.get(name)).isEqualTo(size));
    }

    List<String> events(String pod) {
        return raw.get("/api/v1/events?fieldSelector=involvedObject.name%3D" + pod)
                .body()
                .path("items")
                .findValuesAsText("message");
    }

    @Override
    public void close() {
        done(vertx.close());
        client.close();
        admin.close();
        if (agentClient != null) {
            agentClient.close();
        }
    }
}
