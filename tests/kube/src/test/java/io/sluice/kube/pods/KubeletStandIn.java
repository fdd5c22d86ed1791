package io.sluice.kube.pods;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.lab.api.RawApi;
import io.sluice.shell.Quantities;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Stands for the kubelet of one node: it allocates and applies the specs of its pods, at once, and serves their samples
 * over TLS in the format of a kubelet, with the times at which they were taken. A pod may be held: then what it
 * actually has stays. It may be refused: then the kubelet finds each resize infeasible, as one with a static CPU policy
 * does.
 */
final class KubeletStandIn implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String MERGE = "application/merge-patch+json";
    private static final long PERIOD_MS = 100;
    private static final Duration SAMPLED_EVERY = Duration.ofSeconds(1);
    private static final double MILLIS = 1_000;

    final PodSamples samples;
    final Set<String> held = ConcurrentHashMap.newKeySet();
    final Set<String> refusing = ConcurrentHashMap.newKeySet();
    final Map<String, JsonNode> lastState = new ConcurrentHashMap<>();
    private final Vertx vertx = Vertx.vertx();
    private final RawApi raw;
    private final String node;

    KubeletStandIn(RawApi raw, String node, Path folder) throws Exception {
        this.raw = raw;
        this.node = node;
        samples = new PodSamples(folder, SAMPLED_EVERY, SAMPLED_EVERY);
        vertx.setPeriodic(
                PERIOD_MS,
                timer -> vertx.executeBlocking(() -> {
                    apply();
                    return null;
                }));
    }

    /** Creates the Node object, with as much of each kind as its pods may request. */
    void createNode(String cpu, String memory) {
        var made = raw.post("/api/v1/nodes", """
            {"metadata":{"name":"%1$s"},"status":{"allocatable":{"cpu":"%2$s","memory":"%3$s","pods":"110"},
              "capacity":{"cpu":"%2$s","memory":"%3$s","pods":"110"},
              "addresses":[{"type":"InternalIP","address":"127.0.0.1"}],
              "daemonEndpoints":{"kubeletEndpoint":{"Port":%4$d}},
              "conditions":[{"type":"Ready","status":"True"}]}}\
            """.formatted(node, cpu, memory, samples.port()));
        assertThat(made.status()).as("%s", made.body()).isEqualTo(201);
    }

    void works(String pod, double cpus, long workingSet) {
        samples.works(pod, cpus, workingSet);
    }

    private void apply() {
        for (var pod : raw.get("/api/v1/pods?fieldSelector=spec.nodeName%3D" + node)
                .body()
                .path("items")) {
            var name = pod.at("/metadata/name").asText();
            var resources = pod.at("/spec/containers/0/resources");
            var cpu = resources.at("/limits/cpu").asText("");
            samples.observed(
                    pod.at("/metadata/namespace").asText(),
                    name,
                    cpu.isEmpty() ? Double.MAX_VALUE : Quantities.milliCpu(cpu) / MILLIS);
            long generation = pod.at("/metadata/generation").asLong();
            var actual = held.contains(name) ? pod.at("/status/containerStatuses/0/resources") : resources;
            if (refusing.contains(name) && !pod.at("/status/phase").isMissingNode()) {
                refuse(pod, generation);
                continue;
            }
            boolean isReported = pod.at("/status/observedGeneration").asLong() == generation
                    && pod.at("/status/phase").asText().equals("Running")
                    && pod.at("/status/containerStatuses/0/resources").equals(actual)
                    && pod.at("/status/containerStatuses/0/lastState")
                            .equals(lastState.getOrDefault(name, MAPPER.createObjectNode()));
            if (!isReported) {
                report(pod, generation, resources, actual);
            }
        }
    }

    private void refuse(JsonNode pod, long generation) {
        var allocated = pod.at("/status/containerStatuses/0/allocatedResources");
        boolean waits = !allocated.equals(pod.at("/spec/containers/0/resources/requests"));
        boolean isReported = pod.at("/status/observedGeneration").asLong() == generation;
        if (isReported) {
            return;
        }
        var status = MAPPER.createObjectNode();
        var body = status.putObject("status").put("observedGeneration", generation);
        var conditions = body.putArray("conditions");
        if (waits) {
            conditions
                    .addObject()
                    .put("type", "PodResizePending")
                    .put("status", "True")
                    .put("reason", "Infeasible")
                    .put("message", "Resize is infeasible for Guaranteed Pods alongside CPU Manager policy \"static\"");
        }
        raw.patch(
                PodStage.path(pod.at("/metadata/namespace").asText() + "/"
                                + pod.at("/metadata/name").asText()) + "/status",
                MERGE,
                status.toString());
    }

    private void report(JsonNode pod, long generation, JsonNode spec, JsonNode actual) {
        var name = pod.at("/metadata/name").asText();
        var status = MAPPER.createObjectNode();
        var body = status.putObject("status")
                .put("phase", "Running")
                .put("hostIP", "127.0.0.1")
                .put("podIP", "127.0.0.1")
                .put("observedGeneration", generation);
        body.putArray("conditions")
                .addObject()
                .put("type", "Ready")
                .put("status", "True")
                .put("observedGeneration", generation);
        var container = body.putArray("containerStatuses").addObject();
        container.put("name", "main").put("ready", true).put("restartCount", 0);
        container.put("image", "none").put("imageID", "none").put("containerID", "stand-in://" + name);
        container.set("allocatedResources", spec.path("requests"));
        container.set("resources", actual.isMissingNode() ? spec : actual);
        container.set("lastState", lastState.getOrDefault(name, MAPPER.createObjectNode()));
        container.putObject("state").putObject("running");
        raw.patch(
                PodStage.path(pod.at("/metadata/namespace").asText() + "/" + name) + "/status",
                MERGE,
                status.toString());
    }

    @Override
    public void close() {
        PodStage.done(vertx.close());
        samples.close();
    }
}
