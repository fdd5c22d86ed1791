package io.sluice.kube.pods;

import static io.sluice.kube.pods.PodStage.MI;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
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
import io.sluice.shell.Quantities;
import io.sluice.units.ScaledPodKeys;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Measures how fast many pods are resized when their load rises at once. Method: the program is a process of its own
 * with the waits that it has by default; kubelets are real and hollow; samples are taken and served as cAdvisor does,
 * by the test. Times are printed, and none is asserted.
 */
@OnKubernetes
class ManyPodsOnKubernetesTest {
    private static final int PODS = Integer.getInteger("many.pods", 60);
    private static final int NODES = Integer.getInteger("many.nodes", 2);
    private static final String USER = "system:serviceaccount:kube-system:sluice";
    private static final String HOST = "127.0.0.1";
    private static final long SMALL_MILLI_CPU = 100;
    private static final long LARGE_MILLI_CPU = 400;
    private static final double RESTING_CPUS = 0.05;
    private static final double BUSY_CPUS = 0.33;

    /** The kubelet's cAdvisor samples a container each 10 to 15 s. */
    private static final Duration SAMPLED_WITHIN = Duration.ofSeconds(15);

    private static final Duration SAMPLED_AFTER = Duration.ofSeconds(10);
    private static final Duration RESTS_FOR = Duration.ofSeconds(30);
    private static final Duration WITHIN = Duration.ofSeconds(240);
    private static final Right ADVANCE = new Right("", "pods", "patch");
    private static final Right RESIZE = new Right("", "pods/resize", "patch");

    @TempDir
    private static Path folder;

    private static final List<PodSamples> SAMPLES = new ArrayList<>();
    private static final List<HollowNode> HOLLOW = new ArrayList<>();
    private static ControlPlane plane;
    private static Kubectl kubectl;
    private static KubernetesClient admin;
    private static RawApi raw;

    @BeforeAll
    static void start() throws Exception {
        plane = ControlPlane.audited(folder);
        assumeTrue(Files.isExecutable(plane.program("kubemark")), "the control plane has no kubemark");
        kubectl = new Kubectl(folder, plane.admin());
        admin = KubernetesConnection.open(plane.admin());
        raw = new RawApi(admin);
        for (int node = 0; node < NODES; node++) {
            SAMPLES.add(new PodSamples(
                    Files.createDirectory(folder.resolve("samples-" + node)), SAMPLED_AFTER, SAMPLED_WITHIN));
        }
        enlarged();
        for (int node = 0; node < NODES; node++) {
            HOLLOW.add(new HollowNode(plane, raw, "hollow-" + node, folder));
        }
        for (int node = 0; node < NODES; node++) {
            assertThat(kubeletPort(raw.get("/api/v1/nodes/hollow-" + node).body()))
                    .isEqualTo(SAMPLES.get(node).port());
        }
    }

    /**
     * A hollow kubelet has one CPU and no samples. An admission policy of the API server changes what it reports: a
     * larger node, which it then has itself, and the test's server for samples.
     */
    private static void enlarged() {
        var ports = IntStream.range(0, NODES)
                .mapToObj(node -> "'hollow-" + node + "': " + SAMPLES.get(node).port())
                .collect(Collectors.joining(", ", "{", "}"));
        created("/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies", """
            {"metadata":{"name":"samples"},"spec":{
              "matchConstraints":{"resourceRules":[{"apiGroups":[""],"apiVersions":["v1"],"operations":["CREATE","UPDATE"],
                "resources":["nodes","nodes/status"]}]},
              "failurePolicy":"Fail","reinvocationPolicy":"Never",
              "mutations":[{"patchType":"ApplyConfiguration","applyConfiguration":{"expression":"%s"}}]}}\
            """.formatted(
                        """
                        Object{status: Object.status{
                          daemonEndpoints: Object.status.daemonEndpoints{
                            kubeletEndpoint: Object.status.daemonEndpoints.kubeletEndpoint{Port: %s[object.metadata.name]}},
                          addresses: [Object.status.addresses{type: 'InternalIP', address: '%s'}],
                          capacity: {'cpu': '64', 'memory': '256Gi'}, allocatable: {'cpu': '64', 'memory': '256Gi'}}}\
                        """.formatted(ports, HOST).replace("\n", " ")));
        created("/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings", """
            {"metadata":{"name":"samples"},"spec":{"policyName":"samples"}}\
            """);
        await().atMost(WITHIN)
                .until(
                        () -> raw.post("/api/v1/nodes?dryRun=All", "{\"metadata\":{\"name\":\"hollow-0\"}}")
                                .body(),
                        node -> kubeletPort(node) == SAMPLES.getFirst().port());
    }

    private static int kubeletPort(JsonNode node) {
        return node.at("/status/daemonEndpoints/kubeletEndpoint/Port").asInt();
    }

    private static void created(String path, String object) {
        var made = raw.post(path, object);
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    }

    @AfterAll
    static void stop() {
        HOLLOW.forEach(HollowNode::close);
        SAMPLES.forEach(PodSamples::close);
        if (admin != null) {
            admin.close();
        }
        plane.close();
    }

    @Test
    void aStepOfLoadAtManyPods() throws Exception {
        var sizes = new AcceptedSizes();
        try (var watch = admin.pods().inNamespace("default").watch(sizes)) {
            assertThat(watch).isNotNull();
            IntStream.range(0, PODS).forEach(ManyPodsOnKubernetesTest::create);
            await().atMost(WITHIN).until(() -> sizes.running.size() == PODS);
            scaled(sizes);
        }
    }

    private static void scaled(AcceptedSizes sizes) throws Exception {
        try (var program = SchedulerProcess.with(folder, account(), HOST, config())) {
            await().atMost(WITHIN).until(program::isReady);
            await().atMost(WITHIN).until(() -> sizes.claimed.size() == PODS);
            await().atMost(WITHIN).until(() -> program.reserved().size() == PODS);
            measured(
                    "rest",
                    program,
                    () -> await().during(RESTS_FOR).atMost(WITHIN).until(sizes.grown::isEmpty));

            int some = PODS * 3 / 10;
            step("a step at " + some + " pods", program, sizes, 0, some);
            step("a step at " + (PODS - some) + " pods", program, sizes, some, PODS);
        }
    }

    private static void step(String what, SchedulerProcess program, AcceptedSizes sizes, int from, int to) {
        var before = new AuditLog(plane.auditLog()).count(USER);
        measured(what, program, () -> {
            var at = System.nanoTime();
            IntStream.range(from, to).forEach(pod -> works(pod, BUSY_CPUS));
            await().atMost(WITHIN).until(() -> sizes.full.size() == to);
            sizes.print(what, at, from, to);
        });
        var after = new AuditLog(plane.auditLog()).count(USER);
        after.forEach((right, times) -> {
            long more = times - before.getOrDefault(right, 0L);
            if (more > 0) {
                System.out.printf("%s: %s: %d, %.2f a pod%n", what, right, more, (double) more / (to - from));
            }
        });
        // A fence for each resize, and nothing else but Events of those that a slow machine did not accept in time.
        assertThat(after.keySet())
                .filteredOn(right -> !after.get(right).equals(before.get(right)))
                .filteredOn(right ->
                        !right.verb().equals("get") && !right.resource().equals("leases"))
                .filteredOn(right -> !right.resource().equals("events"))
                .containsExactlyInAnyOrder(ADVANCE, RESIZE);
    }

    private static void measured(String what, SchedulerProcess program, Runnable work) {
        var cpu = program.cpuTime();
        long from = System.nanoTime();
        work.run();
        double seconds = (System.nanoTime() - from) / 1e9;
        System.out.printf(
                "%s: %.1f s, in which the program used %.1f s of CPU; it has %d MiB in memory%n",
                what, seconds, program.cpuTime().minus(cpu).toMillis() / 1e3, program.residentBytes() / MI);
    }

    private static void works(int pod, double cpus) {
        SAMPLES.get(pod % NODES).works(name(pod), cpus, 40 * MI);
    }

    private static String name(int pod) {
        return "pod-" + pod;
    }

    private static void create(int pod) {
        created("/api/v1/namespaces/default/pods", """
            {"metadata":{"name":"%s","labels":{"autoscaling.sluice.io/enabled":"true"},"annotations":{%s}},
             "spec":{"nodeName":"hollow-%d","automountServiceAccountToken":false,"terminationGracePeriodSeconds":0,
               "containers":[{"name":"main","image":"none","resources":{"requests":{"cpu":"%dm","memory":"128Mi"}}}]}}\
            """.formatted(
                        name(pod),
                        PodStage.bounds(SMALL_MILLI_CPU + "m/128Mi", LARGE_MILLI_CPU + "m/512Mi"),
                        pod % NODES,
                        SMALL_MILLI_CPU));
        works(pod, RESTING_CPUS);
    }

    private static KubernetesConfig account() throws Exception {
        return plane.by(
                plane.apiPort(), new ComposedOverlay(kubectl, folder, "all-in-one", "scaled-pods").token("sluice"));
    }

    /** The defaults, with what the component scaled-pods changes. */
    private static JsonObject config() throws Exception {
        var certificates = new StringBuilder();
        for (var samples : SAMPLES) {
            certificates.append(Files.readString(Path.of(samples.caFile))).append('\n');
        }
        var caFile = Files.writeString(folder.resolve("kubelets.crt"), certificates);
        var free = new JsonObject().put("host", HOST).put("port", 0);
        return new JsonObject()
                .put("roles", new JsonArray(List.of("ledger", "cluster", "vm", "agent", "pods", "gateway")))
                .put("gateway", new JsonObject().put("vmMetrics", free).put("dump", free))
                .put("ledger", new JsonObject().put("permitValidFor", "10s"))
                .put("cluster", new JsonObject().put("reclaimAfter", "11s"))
                .put("pods", new JsonObject().put("kubeletCaFile", caFile.toString()))
                .put(
                        "agent",
                        new JsonObject()
                                .put("permitValidFor", "10s")
                                .put("deniedRetryWait", "2s")
                                .put("absentAfterScrapes", 6)
                                .put(
                                        "computeUnit",
                                        new JsonObject().put("cpu", "100m").put("memory", "128Mi")));
    }

    /** When each pod's kubelet had first accepted a larger size, and its largest, by a watch of the test's own. */
    private static final class AcceptedSizes implements Watcher<Pod> {
        private final Set<String> running = ConcurrentHashMap.newKeySet();
        private final Set<String> claimed = ConcurrentHashMap.newKeySet();
        private final Map<String, Long> grown = new ConcurrentHashMap<>();
        private final Map<String, Long> full = new ConcurrentHashMap<>();

        @Override
        public void eventReceived(Action action, Pod pod) {
            long now = System.nanoTime();
            var name = pod.getMetadata().getName();
            if (pod.getStatus().getPhase().equals("Running")) {
                running.add(name);
            }
            if (pod.getMetadata().getAnnotations().containsKey(ScaledPodKeys.FENCE)) {
                claimed.add(name);
            }
            pod.getStatus().getContainerStatuses().stream()
                    .flatMap(container -> Stream.ofNullable(container.getAllocatedResources()))
                    .flatMap(allocated -> Stream.ofNullable(allocated.get("cpu")))
                    .forEach(cpu -> {
                        long milliCpu = Quantities.milliCpu(cpu.toString());
                        if (milliCpu > SMALL_MILLI_CPU) {
                            grown.putIfAbsent(name, now);
                        }
                        if (milliCpu == LARGE_MILLI_CPU) {
                            full.putIfAbsent(name, now);
                        }
                    });
        }

        void print(String what, long since, int from, int to) {
            print(what + ", load to the first accepted growth", since, from, to, grown);
            print(what + ", load to the whole size accepted", since, from, to, full);
        }

        private static void print(String what, long since, int from, int to, Map<String, Long> times) {
            var took = IntStream.range(from, to)
                    .mapToLong(pod -> times.get(name(pod)) - since)
                    .sorted()
                    .toArray();
            System.out.printf(
                    "%s: p50 %.1f s, p99 %.1f s, max %.1f s%n",
                    what, took[took.length / 2] / 1e9, took[took.length * 99 / 100] / 1e9, took[took.length - 1] / 1e9);
        }

        @Override
        public void onClose(WatcherException cause) {
            throw new IllegalStateException(cause);
        }
    }
}
