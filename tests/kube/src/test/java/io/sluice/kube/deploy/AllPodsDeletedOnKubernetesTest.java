package io.sluice.kube.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.kube.server.ControlPlane;
import io.sluice.kube.server.KubeScheduler;
import io.sluice.kube.server.Kubectl;
import io.sluice.kube.server.OnKubernetes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: pods of Sluice and of its kube-scheduler are bound while neither runs, so that an installation whose pods are
 * all deleted at once comes back. Method: a second real kube-scheduler is the cluster's {@code default-scheduler}. The
 * pods are made as the workloads' controllers would make them, of each overlay with all its components. No controller
 * runs.
 */
@OnKubernetes
class AllPodsDeletedOnKubernetesTest {
    private static final Duration WITHIN = Duration.ofSeconds(120);
    private static final List<String> NODES = List.of("node-1", "node-2", "node-3");
    private static final String SLUICE = "127.0.0.2";

    @TempDir
    private Path folder;

    private final List<AutoCloseable> running = new ArrayList<>();
    private ControlPlane plane;
    private Kubectl kubectl;
    private WorkloadPods pods;

    @BeforeEach
    void start() throws IOException {
        assumeThat(Deploy.program())
                .as("the distribution, which mvn package makes")
                .exists();
        plane = ControlPlane.start(Files.createDirectory(folder.resolve("plane")));
        running.add(plane);
        kubectl = new Kubectl(folder, plane.admin());
        pods = new WorkloadPods(kubectl, folder);
        for (var node : NODES) {
            create("""
                apiVersion: v1
                kind: Node
                metadata: {name: %1$s, labels: {kubernetes.io/hostname: %1$s}}
                status:
                  allocatable: {cpu: "8", memory: 32Gi, pods: "110"}
                  conditions: [{type: Ready, status: "True"}]
                """.formatted(node));
        }
        running.add(KubeScheduler.start(plane.admin(), Files.createDirectory(folder.resolve("default-scheduler"))));
    }

    @AfterEach
    void stop() throws Exception {
        for (var each : running.reversed()) {
            each.close();
        }
    }

    @Test
    void allPodsAreBoundAnewWhileNeitherSluiceNorItsKubeSchedulerRuns() throws IOException {
        var overlays = List.of(
                installed("placement", List.of("identity", "mirrored-requests")),
                installed("agent", List.of("identity", "service-discovery")));
        assertAllBound(overlays);
        var sluice = startSluice("before");
        var scheduler = startKubeScheduler(overlays.getFirst(), "before");
        createPod("before");
        await().atMost(WITHIN).until(() -> !nodeOf("before").isEmpty());

        scheduler.close();
        sluice.close();
        pods.deleteAll();
        createPod("meanwhile");
        assertAllBound(overlays);
        assertThat(nodeOf("meanwhile"))
                .as("only Sluice's kube-scheduler binds it")
                .isEmpty();

        startSluice("after");
        startKubeScheduler(overlays.getFirst(), "after");
        await().atMost(WITHIN).until(() -> !nodeOf("meanwhile").isEmpty());
    }

    static Stream<Arguments> withoutKubeScheduler() {
        return Stream.of(
                Arguments.of("all-in-one", List.of("mirrored-requests")),
                Arguments.of("scheduler", List.of("own-scheduler", "identity", "mirrored-requests")));
    }

    @ParameterizedTest
    @MethodSource
    void withoutKubeScheduler(String overlay, List<String> components) throws IOException {
        var overlays = List.of(installed(overlay, components));
        assertAllBound(overlays);
        pods.deleteAll();
        assertAllBound(overlays);
    }

    /** Makes all pods of these overlays, as their controllers would, and awaits that all are bound. */
    private void assertAllBound(List<List<JsonNode>> overlays) {
        var made = overlays.stream()
                .flatMap(List::stream)
                .filter(object -> object.path("spec").has("template"))
                .flatMap(workload -> pods.createAll(workload, NODES).stream())
                .toList();
        await().atMost(WITHIN)
                .untilAsserted(() -> assertThat(pods.nodes(made))
                        .hasSameSizeAs(made)
                        .allSatisfy((pod, node) -> assertThat(node).as(pod).isIn(NODES)));
    }

    /** Applies an overlay with components; returns its objects. */
    private List<JsonNode> installed(String overlay, List<String> components) throws IOException {
        var own = Files.createDirectory(folder.toRealPath().resolve(overlay));
        var paths = components.stream()
                .map(name -> own.relativize(Deploy.component(name)).toString())
                .toList();
        Files.writeString(
                own.resolve("kustomization.yaml"),
                "resources: [%s]\ncomponents: %s\n".formatted(own.relativize(Deploy.overlay(overlay)), paths));
        kubectl.run("apply", "-k", own.toString());
        return kubectl.objects("get", "-k", own.toString());
    }

    private PodProcess startSluice(String log) {
        var variables = new HashMap<>(PodProcess.ALONE);
        variables.put("SLUICE_KUBERNETES_URL", plane.admin().url());
        variables.put("SLUICE_KUBERNETES_CA_FILE", plane.admin().caFile());
        variables.put("SLUICE_KUBERNETES_TOKEN_FILE", plane.admin().tokenFile());
        var sluice = PodProcess.start(
                SLUICE,
                Deploy.overlay("placement").resolve("sluice.yaml"),
                variables,
                folder.resolve("sluice-" + log + ".log"));
        running.add(sluice);
        await().atMost(WITHIN).until(sluice::isReady);
        return sluice;
    }

    private KubeSchedulerProcess startKubeScheduler(List<JsonNode> overlay, String log) throws IOException {
        var scheduler = new KubeSchedulerProcess(
                overlay, plane.admin(), SLUICE, Files.createDirectory(folder.resolve("kube-scheduler-" + log)));
        running.add(scheduler);
        return scheduler;
    }

    /** Creates a pod that Sluice is to place. */
    private void createPod(String name) throws IOException {
        create("""
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec: {schedulerName: autoscale-scheduler, containers: [{name: main, image: none}]}
            """.formatted(name));
    }

    private String nodeOf(String pod) {
        return kubectl.objects("get", "pod", pod, "--namespace=default")
                .getFirst()
                .at("/spec/nodeName")
                .asText();
    }

    private void create(String object) throws IOException {
        var file = Files.writeString(folder.resolve("object.yaml"), object);
        kubectl.run("create", "-f", file.toString());
    }
}
