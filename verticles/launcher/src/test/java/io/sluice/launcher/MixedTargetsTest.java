package io.sluice.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.lab.api.LabApi;
import io.sluice.launcher.config.Settings;
import io.sluice.shell.LoopbackPorts;
import io.sluice.shell.config.YamlText;
import io.sluice.units.Resources;
import io.sluice.workers.ControlClient;
import io.sluice.workers.GrpcMethods;
import io.sluice.workers.WireForm;
import io.sluice.workers.WorkersTls;
import io.sluice.workers.control.v1.Instance;
import io.sluice.workers.control.v1.InstanceRef;
import io.sluice.workers.control.v1.ListRequest;
import io.sluice.workers.control.v1.Target;
import io.sluice.workers.control.v1.WorkloadSpec;
import io.vertx.core.Vertx;
import io.vertx.grpc.client.GrpcClient;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: one pipeline places instances on nodes of Kubernetes and on workers. Method: one node in the lab's API server
 * and one worker of the test, each with 3800m for instances; the test runs pods as a kubelet does.
 */
class MixedTargetsTest {
    private static final Duration WITHIN = Duration.ofSeconds(30);
    private static final String HERE = "127.0.0.1";
    private static final String NODE = "kubernetes:node-a";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final long GIB = 1L << 30;
    private static final int UNAVAILABLE = 503;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String BOTH = """
        {"kind": "Pod", "spec": {"containers": [
          {"image": "example.com/web:1", "rootfs": "/srv/web", "command": ["/bin/web"], "env": {"PORT": "80"}}]}}\
        """;

    @TempDir
    private Path directory;

    private final Vertx vertx = Vertx.vertx();
    private final HttpClient http = HttpClient.newHttpClient();
    private final int port = LoopbackPorts.next();
    private final int controlPort = LoopbackPorts.next();
    private final int extenderPort = LoopbackPorts.next();
    private final LabApi api = new LabApi(vertx, InstantSource.system(), 10_000);
    private final GrpcClient client = GrpcClient.client(vertx, ControlClient.connection(WorkersTls.NONE));
    private String url;
    private TestWorker worker;
    private RoleRuntime scheduler;
    private ControlClient control;

    @BeforeEach
    void start() throws Exception {
        url = api.start(HERE, 0).await();
        write("POST", "/api/v1/nodes", """
            {"metadata": {"name": "node-a"}, "status": {"allocatable": {"cpu": "3800m", "memory": "8Gi", "pods": "110"},
              "conditions": [{"type": "Ready", "status": "True"}]}}\
            """);
        scheduler = RoleRuntime.start(settings(), Optional.empty());
        control = new ControlClient(vertx, HERE, controlPort, WorkersTls.NONE);
        worker = new TestWorker(client, port, "w1", "Pod");
        await().atMost(WITHIN)
                .until(() ->
                        control
                                .call(GrpcMethods.WORKERS, ListRequest.getDefaultInstance())
                                .await()
                                .getWorkersList()
                                .stream()
                                .anyMatch(info -> info.getWorkerId().equals(NODE)
                                        && info.getState().equals("READY")));
    }

    @AfterEach
    void stop() {
        scheduler.stop();
        vertx.close().await();
        http.close();
    }

    private Settings settings() {
        var yaml = """
            roles: [ledger, placement, workers, cluster, vm, gateway]
            placement: {scorePeak: 0}
            lease: {enabled: false}
            kubernetes: {url: "%s", tokenFile: "", caFile: ""}
            gateway: {ops: {port: 0}, agent: {port: 0}, console: {port: 0}, extender: {host: 127.0.0.1, port: %d}}
            workers: {port: %d, controlPort: %d, store: "%s", lease: 5m, kubernetes: {enabled: true}}
            """.formatted(url, extenderPort, port, controlPort, directory.resolve("store"));
        return Settings.read(ProcessConfigSources.of(YamlText.parse(yaml, "test.yaml"), Map.of(), Map.of()));
    }

    private JsonNode request(String method, String to, String contentType, String body) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(to))
                .header("Content-Type", contentType)
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        var reply = http.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(reply.statusCode()).as(reply.body()).isBetween(200, 299);
        return JSON.readTree(reply.body());
    }

    private JsonNode write(String method, String path, String body) throws Exception {
        return request(method, url + path, "application/json", body);
    }

    private List<JsonNode> pods() throws Exception {
        var items = write("GET", PODS, "").path("items");
        return StreamSupport.stream(items.spliterator(), false).toList();
    }

    /** As a kubelet reports it. */
    private void reports(JsonNode pod, String status) throws Exception {
        request(
                "PATCH",
                url + PODS + "/" + pod.at("/metadata/name").asText() + "/status",
                "application/merge-patch+json",
                "{\"status\": " + status + "}");
    }

    /** A kubelet starts what is bound to its node. */
    private void runPods() throws Exception {
        for (var pod : pods()) {
            if (pod.at("/spec/nodeName").asText().equals("node-a")
                    && pod.at("/status/phase").asText("Pending").equals("Pending")) {
                reports(pod, "{\"phase\": \"Running\"}");
            }
        }
    }

    private void submit(String id, String definition, Target on) {
        control.call(
                        GrpcMethods.SUBMIT,
                        WorkloadSpec.newBuilder()
                                .setWorkloadId("work")
                                .setInstanceId(id)
                                .setDefinition(definition)
                                .setOn(on)
                                .addAllRequests(WireForm.resources(new Resources(1_000, GIB)))
                                .build())
                .await();
    }

    private List<Instance> instances() {
        return control.call(GrpcMethods.INSTANCES, ListRequest.getDefaultInstance())
                .await()
                .getInstancesList();
    }

    private Instance awaits(String id, Predicate<Instance> wanted) {
        return await().atMost(WITHIN)
                .until(
                        () -> {
                            runPods();
                            return instances().stream()
                                    .filter(instance -> instance.getInstanceId().equals(id))
                                    .findFirst()
                                    .orElseThrow();
                        },
                        wanted);
    }

    private static boolean runs(Instance instance) {
        return instance.getState().equals("RUNNING");
    }

    @Test
    @DisplayName("AT-W19 six workloads that may run on both go to a node of Kubernetes and to a worker, three to each")
    void both() throws Exception {
        IntStream.range(0, 6).forEach(i -> submit("i" + i, BOTH, Target.ANYWHERE));
        for (int i = 0; i < 6; i++) {
            awaits("i" + i, MixedTargetsTest::runs);
        }
        assertThat(instances().stream().map(Instance::getWorkerId))
                .containsExactlyInAnyOrder("w1", "w1", "w1", NODE, NODE, NODE);
        assertThat(worker.set()).hasSize(3);
        assertThat(pods()).hasSize(3).allSatisfy(pod -> {
            assertThat(pod.at("/spec/nodeName").asText()).isEqualTo("node-a");
            assertThat(pod.at("/spec/containers/0/resources/requests/cpu").asText())
                    .isEqualTo("1000m");
            assertThat(pod.at("/spec/containers/0/env/0/name").asText()).isEqualTo("PORT");
        });

        // A seventh waits, as each has 800m left; once one of the node has ended, its room is free, and no more.
        submit("seventh", BOTH, Target.ANYWHERE);
        awaits("seventh", instance -> instance.getReason().contains("short of 200m CPU"));
        var ending = instances().stream()
                .filter(instance -> instance.getWorkerId().equals(NODE))
                .findFirst()
                .orElseThrow();
        control.call(
                        GrpcMethods.REMOVE,
                        InstanceRef.newBuilder()
                                .setInstanceId(ending.getInstanceId())
                                .build())
                .await();
        assertThat(awaits("seventh", MixedTargetsTest::runs).getWorkerId()).isEqualTo(NODE);
        awaits(ending.getInstanceId(), instance -> instance.getState().equals("TERMINATED"));
        assertThat(pods())
                .hasSize(3)
                .noneMatch(pod -> pod.at("/metadata/name").asText().startsWith(ending.getInstanceId() + "-"));
    }

    /** The scheduler ends while the instance {@code a} is to get its pod, which the API server does not create. */
    private void stopWithoutAPod() {
        api.failWrites(path -> path.equals(PODS) ? UNAVAILABLE : 0);
        submit("a", BOTH, Target.KUBERNETES);
        awaits("a", instance -> instance.getWorkerId().equals(NODE));
        scheduler.stop();
        api.failWrites(path -> 0);
    }

    @Test
    @DisplayName("AT-W19 no pod is created on room that was given away while no scheduler ran")
    void roomThatWasGivenAway() throws Exception {
        stopWithoutAPod();
        write("POST", PODS, """
            {"metadata": {"name": "another"}, "spec": {"nodeName": "node-a", "containers": [
              {"name": "main", "image": "none", "resources": {"requests": {"cpu": "3000m", "memory": "1Gi"}}}]}}\
            """);

        scheduler = RoleRuntime.start(settings(), Optional.empty());

        awaits("a", instance -> instance.getReason().contains("its room on the node is held no more"));
        assertThat(pods()).hasSize(1);
    }

    @Test
    @DisplayName(
            "AT-W19 an order that is repeated after its hold has ended takes the pod that exists, and makes no other")
    void repeatedOrder() throws Exception {
        stopWithoutAPod();
        // As if the request had been carried out and its reply lost. The ledger is new, and has the pod alone.
        var pod = write("POST", PODS, """
            {"metadata": {"name": "a-1", "labels": {"autoscaling.sluice.io/instance-pod": "true"}, "annotations": {
               "autoscaling.sluice.io/instance": "a", "autoscaling.sluice.io/instance-generation": "1"}},
             "spec": {"nodeName": "node-a", "containers": [
               {"name": "instance", "image": "none", "resources": {"requests": {"cpu": "1", "memory": "1Gi"}}}]}}\
            """);

        scheduler = RoleRuntime.start(settings(), Optional.empty());

        assertThat(awaits("a", MixedTargetsTest::runs).getGeneration()).isEqualTo(1);
        assertThat(pods())
                .singleElement()
                .satisfies(left -> assertThat(left.at("/metadata/uid")).isEqualTo(pod.at("/metadata/uid")));
        control.call(
                        GrpcMethods.REMOVE,
                        InstanceRef.newBuilder().setInstanceId("a").build())
                .await();
        awaits("a", instance -> instance.getState().equals("TERMINATED"));
        assertThat(pods()).isEmpty();
    }

    @Test
    @DisplayName("AT-W19 a pod that fails is an instance that fails, and it is started again")
    void status() throws Exception {
        submit("a", BOTH, Target.KUBERNETES);
        assertThat(awaits("a", MixedTargetsTest::runs).getGeneration()).isEqualTo(1);
        reports(pods().getFirst(), """
            {"phase": "Failed", "containerStatuses": [{"state": {"terminated": {"exitCode": 137, "reason": "OOMKilled"}}}]}\
            """);
        var again = awaits("a", instance -> runs(instance) && instance.getGeneration() == 2);
        assertThat(again.getExitCode()).isEqualTo(137);
        assertThat(again.getWorkerId()).isEqualTo(NODE);
        await().atMost(WITHIN).until(() -> pods().size() == 1);
    }

    @Test
    @DisplayName("AT-W19 an instance whose runtime no worker has waits for RUNTIME, and what is no pod is refused")
    void runtime() throws Exception {
        submit("f", "{\"kind\": \"Function\"}", Target.WORKERS);
        awaits("f", instance -> instance.getReason().contains("TARGET 1, RUNTIME 1"));

        assertThatThrownBy(() -> submit("vm", "{\"kind\": \"VM\"}", Target.KUBERNETES))
                .hasMessageContaining("INVALID_ARGUMENT")
                .hasMessageContaining("VirtualMachine");
    }

    @Test
    @DisplayName("AT-W19 the pod of a VM that migrates live goes to Kubernetes alone, also where the worker is empty")
    void vm() throws Exception {
        submit("fills", BOTH, Target.KUBERNETES);
        awaits("fills", MixedTargetsTest::runs);
        var pod = write("POST", PODS, """
            {"metadata": {"name": "vm-a", "labels": {"vm.neon.tech/name": "vm-a"},
               "annotations": {"vm.neon.tech/usage": "{\\"cpu\\":1,\\"memory\\":\\"1Gi\\"}"}},
             "spec": {"containers": [{"name": "neonvm-runner", "image": "none"}]}}\
            """);
        var arguments = "{\"Pod\": " + pod + ", \"NodeNames\": [\"node-a\", \"worker:w1\"]}";
        var filtered =
                request("POST", "http://" + HERE + ":" + extenderPort + "/filter", "application/json", arguments);
        assertThat(filtered.path("NodeNames")).hasSize(1);
        assertThat(filtered.path("NodeNames").get(0).asText()).isEqualTo("node-a");
    }
}
