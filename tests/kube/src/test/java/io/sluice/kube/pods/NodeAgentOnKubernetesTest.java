package io.sluice.kube.pods;

import static io.sluice.kube.pods.PodStage.MI;
import static io.sluice.kube.pods.PodStage.WITHIN;
import static io.sluice.kube.pods.PodStage.bounds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.sluice.bus.PodAddresses;
import io.sluice.kube.deploy.ComposedOverlay;
import io.sluice.kube.server.AuditLog;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import io.sluice.kube.server.Right;
import io.sluice.lab.api.RawApi;
import io.sluice.messages.placement.PlacementDecision;
import io.sluice.messages.pod.PodSampled;
import io.sluice.neonvm.api.KubernetesConnection;
import io.sluice.pods.node.core.NodeAgentConfig;
import io.sluice.units.Resources;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: what the kernel reports of a pod becomes a resize, without any sample of a kubelet. Method: a real API server,
 * and a node agent with the rights of its component; its control groups are those of {@link NodeTree}: pressure of CPU
 * is the kernel's, memory.events and limits are files that the test writes.
 */
@OnKubernetes
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NodeAgentOnKubernetesTest {
    private static final String USER = "system:serviceaccount:kube-system:sluice-node-agent";
    private static final String NODE = "node-g";
    private static final String LIMITS = "\"cpu\":\"400m\",\"memory\":\"256Mi\"";
    private static final String WIDE = bounds("200m/128Mi", "1/1Gi");
    private static final String IN_FORCE = "40000 100000/" + 256 * MI;
    private static final int PODS = Integer.getInteger("node.agent.pods", 2);
    private static final int ROUNDS = Integer.getInteger("node.agent.rounds", 1);

    @TempDir
    private static Path folder;

    private static ControlPlane plane;
    private static Kubectl kubectl;
    private static KubeletStandIn kubelet;
    private static PodStage stage;
    private static NodeTree tree;
    private static KubernetesClient client;
    private static final Growths GROWTHS = new Growths();

    @BeforeAll
    static void start() throws Exception {
        plane = ControlPlane.audited(folder);
        kubectl = new Kubectl(folder, plane.admin());
        client = KubernetesConnection.open(plane.admin());
        kubelet = new KubeletStandIn(new RawApi(client), NODE, folder);
        kubelet.createNode("64", "64Gi");
        tree = new NodeTree(folder.resolve("cgroup"));
        var overlay = withComponents("scaled-pods", "node-agent");
        stage = new PodStage(plane, plane.by(plane.apiPort(), overlay.token("sluice")), kubelet.samples.caFile);
        var usual = NodeAgentConfig.DEFAULTS;
        var config = new NodeAgentConfig(
                NODE,
                tree.root.toString(),
                usual.window(),
                usual.cpuStalled(),
                usual.memoryStalled(),
                Duration.ofSeconds(1));
        stage.startNodeAgent(config, plane.by(plane.apiPort(), overlay.token("sluice-node-agent")));
        PodStage.done(stage.bus.subscribe(PodAddresses.SAMPLED, GROWTHS::reported));
        client.pods().inNamespace("default").watch(GROWTHS);
    }

    private static ComposedOverlay withComponents(String... components) throws IOException {
        return new ComposedOverlay(kubectl, folder, "all-in-one", components);
    }

    @AfterAll
    static void stop() throws IOException {
        stage.close();
        kubelet.close();
        client.close();
        plane.close();
        tree.close();
    }

    /** A pod whose kubelet has no samples, with control groups; returns its uid. */
    private static String create(String name, String bounds, String limits, String inForce, long memoryBytes)
            throws IOException {
        kubelet.samples.unsampled.add(name);
        stage.create(NODE, name, "200m", "128Mi", limits, bounds);
        var uid = stage.pod(name).at("/metadata/uid").asText();
        tree.make(uid, name, inForce, memoryBytes);
        // A real kubelet makes the groups before it reports that the pod runs.
        var changed = stage.raw.patch(
                PodStage.path(name),
                "application/merge-patch+json",
                "{\"metadata\":{\"annotations\":{\"made\":\"1\"}}}");
        assertThat(changed.status()).isEqualTo(200);
        await().atMost(WITHIN).until(() -> stage.statuses.containsKey(name));
        return uid;
    }

    @Test
    void aPodThatWaitsForCpuGrowsWithoutASampleOfItsKubelet() throws Exception {
        assumeTrue(tree.hasPressure(), "there are no control groups of version 2 with pressure stall information");
        create("busy", WIDE, LIMITS, IN_FORCE, 40 * MI);
        tree.work();
        try {
            // Memory grows with it, as sizes are whole compute units.
            stage.awaitRequests("busy", new Resources(1_000, 1024 * MI));
        } finally {
            tree.rest();
        }
    }

    @Test
    void aPodThatReachesItsMemoryLimitGrowsIfItsWorkingSetIsNear() throws Exception {
        var near = create("near", WIDE, LIMITS, IN_FORCE, 250 * MI);
        var far = create("far", WIDE, LIMITS, IN_FORCE, 40 * MI);
        var times = new int[1];
        await().atMost(WITHIN).until(() -> {
            times[0]++;
            tree.reachMemoryLimit(far, times[0]);
            tree.reachMemoryLimit(near, times[0]);
            return stage.requests("near").memoryBytes() > 128 * MI;
        });
        assertThat(stage.requests("far").memoryBytes()).isEqualTo(128 * MI);
    }

    /** The kernel reports it at once, and the status of the container seconds later. */
    @Test
    void aKillThatKernelAndStatusReportGrowsAPodOnce() throws Exception {
        var uid = create("killed", WIDE, LIMITS, IN_FORCE, 40 * MI);
        // Until its group is watched, nothing counts.
        await().atMost(WITHIN).until(() -> {
            tree.reachMemoryLimit(uid, (int) (System.nanoTime() & Integer.MAX_VALUE));
            return GROWTHS.sampled.contains("killed");
        });
        tree.reachMemoryLimit(uid, 1);
        var at = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        tree.kill(uid, 1);
        stage.awaitRequests("killed", new Resources(300, 192 * MI));

        kubelet.lastState.put("killed", new ObjectMapper().readTree("""
            {"terminated":{"exitCode":137,"reason":"OOMKilled","containerID":"stand-in://old",
              "startedAt":"%1$s","finishedAt":"%1$s"}}\
            """.formatted(at)));
        await().atMost(WITHIN)
                .until(
                        () -> stage.events("killed"),
                        events -> events.stream().anyMatch(words -> words.contains("killed for want of memory")));
        await().during(Duration.ofSeconds(3))
                .atMost(WITHIN)
                .until(() -> stage.requests("killed"), new Resources(300, 192 * MI)::equals);
    }

    @Test
    void limitsThatAreNotWhatTheStatusHasAreAnEventAndADecision() throws Exception {
        create("odd", bounds("200m/128Mi", "200m/128Mi"), LIMITS, "20000 100000/" + 256 * MI, 40 * MI);
        var words = "container main: its control group has a CPU limit of 200m, and its status has 400m, for 1s";
        await().atMost(WITHIN).until(() -> stage.events("odd"), events -> events.contains(words));
        assertThat(stage.placing)
                .filteredOn(decision -> decision.kind() == PlacementDecision.Kind.LIMITS_DIFFER
                        && decision.name().equals("odd"))
                .extracting(PlacementDecision::label, PlacementDecision::node, PlacementDecision::reason)
                .containsExactly(tuple("default/odd", NODE, words));
    }

    /** The first round warms up the process. No time is asserted. */
    @Test
    void fromAReportOfTheKernelToAResizeThatTheApiServerHasAccepted() throws Exception {
        assumeTrue(tree.hasPressure(), "there are no control groups of version 2 with pressure stall information");
        for (int round = 0; round <= ROUNDS; round++) {
            var names = names("r" + round);
            for (var name : names) {
                create(name, WIDE, "", "max 100000/max", 40 * MI);
            }
            GROWTHS.begin(names);
            tree.work();
            try {
                await().atMost(WITHIN).until(() -> GROWTHS.have(names));
            } finally {
                tree.rest();
            }
            if (round == 0) {
                GROWTHS.clear();
            }
            names.forEach(name -> stage.raw.delete(PodStage.path(name), "{\"gracePeriodSeconds\":0}"));
        }
        assertThat(GROWTHS.sinceReport).isNotEmpty();
        print("report of the kernel to accepted resize", GROWTHS.sinceReport);
        print("begin of the load to accepted resize", GROWTHS.sinceLoad);
    }

    private static void print(String what, List<Long> unsorted) {
        var took = unsorted.stream().sorted().toList();
        System.out.printf(
                "%s, %d pods at once: %d resizes, p50 %d ms, p99 %d ms, max %d ms%n",
                what,
                PODS,
                took.size(),
                took.get(took.size() / 2),
                took.get((took.size() * 99 - 1) / 100),
                took.getLast());
    }

    private static List<String> names(String round) {
        return IntStream.range(0, PODS).mapToObj(each -> round + "-" + each).toList();
    }

    /** Played last: what all others needed is what the component grants, and no more. */
    @Test
    @Order(Integer.MAX_VALUE)
    void theComponentGrantsWhatIsUsedAndNothingElse() throws IOException {
        var audit = new AuditLog(plane.auditLog());
        assertThat(audit.used(USER))
                .containsExactlyInAnyOrder(new Right("", "pods", "list"), new Right("", "pods", "watch"));
        assertThat(audit.forbidden(USER)).isEmpty();
        assertThat(withComponents("scaled-pods", "node-agent").rightsBeyond(withComponents("scaled-pods")))
                .as("of another account")
                .isEmpty();
    }

    /** Measures how long after the first report about a pod its requests have changed, on a watch of its own. */
    private static final class Growths implements Watcher<Pod> {
        private final Map<String, Long> reported = new ConcurrentHashMap<>();
        private final Map<String, Boolean> awaited = new ConcurrentHashMap<>();
        private final List<Long> sinceReport = Collections.synchronizedList(new ArrayList<>());
        private final List<Long> sinceLoad = Collections.synchronizedList(new ArrayList<>());
        private final Set<String> sampled = ConcurrentHashMap.newKeySet();
        private volatile long begun;

        void clear() {
            sinceReport.clear();
            sinceLoad.clear();
        }

        /** What was reported until now was of the load before. */
        void begin(List<String> pods) {
            begun = System.currentTimeMillis();
            reported.clear();
            pods.forEach(pod -> awaited.put(pod, true));
        }

        boolean have(List<String> pods) {
            return pods.stream().noneMatch(awaited::containsKey);
        }

        void reported(PodSampled sample) {
            sampled.add(sample.vm().name());
            if (sample.cause() == PodSampled.Cause.CPU_STALLED && sample.first().at() >= begun) {
                reported.putIfAbsent(sample.vm().name(), sample.first().at());
            }
        }

        @Override
        public void eventReceived(Action action, Pod pod) {
            var name = pod.getMetadata().getName();
            var requests =
                    pod.getSpec().getContainers().getFirst().getResources().getRequests();
            if (!requests.get("cpu").toString().equals("200m") && awaited.containsKey(name)) {
                long now = System.currentTimeMillis();
                // A report of another kind, or one that was under way when the load began, is not measured.
                Optional.ofNullable(reported.get(name)).ifPresent(at -> {
                    sinceReport.add(now - at);
                    sinceLoad.add(now - begun);
                });
                awaited.remove(name);
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            // It is closed with its client.
        }
    }
}
