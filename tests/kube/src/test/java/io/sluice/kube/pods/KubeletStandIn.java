package io.sluice.kube.pods;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.gateway.listener.TestCertificate;
import io.sluice.kube.server.ControlPlane;
import io.sluice.lab.api.RawApi;
import io.sluice.shell.Quantities;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PemKeyCertOptions;
import java.nio.file.Path;
import java.util.Locale;
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
    static final String TOKEN_HEADER = "authorization";

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String MERGE = "application/merge-patch+json";
    private static final long PERIOD_MS = 100;
    private static final long SAMPLE_MS = 1_000;
    private static final double MILLIS = 1_000;

    final String caFile;
    final Set<String> held = ConcurrentHashMap.newKeySet();
    final Set<String> refusing = ConcurrentHashMap.newKeySet();
    final Set<String> tokens = ConcurrentHashMap.newKeySet();
    final Map<String, JsonNode> lastState = new ConcurrentHashMap<>();
    private final Vertx vertx = Vertx.vertx();
    private final Map<String, Load> loads = new ConcurrentHashMap<>();
    private final RawApi raw;
    private final String node;
    private final HttpServer server;

    /** What a pod does: the CPUs that it would use, and its working set. */
    private static final class Load {
        volatile String namespace = "default";
        volatile double cpus;
        volatile long workingSet;
        volatile double limit = Double.MAX_VALUE;
        double cpuSeconds;
        double stalled;
        long at;
    }

    KubeletStandIn(RawApi raw, String node, Path folder) throws Exception {
        this.raw = raw;
        this.node = node;
        var files = TestCertificate.of("EC", folder).writeTo(folder);
        caFile = files.cert();
        server = vertx.createHttpServer(new HttpServerOptions()
                        .setHost("127.0.0.1")
                        .setPort(ControlPlane.freePort())
                        .setSsl(true)
                        .setKeyCertOptions(new PemKeyCertOptions()
                                .addCertPath(files.cert())
                                .addKeyPath(files.key())))
                .requestHandler(this::serve)
                .listen()
                .toCompletionStage()
                .toCompletableFuture()
                .get();
        vertx.setPeriodic(SAMPLE_MS, timer -> loads.values().forEach(KubeletStandIn::sample));
        vertx.setPeriodic(
                PERIOD_MS,
                timer -> vertx.executeBlocking(() -> {
                    apply();
                    return null;
                }));
    }

    int port() {
        return server.actualPort();
    }

    void works(String pod, double cpus, long workingSet) {
        var load = loads.computeIfAbsent(pod, name -> new Load());
        load.cpus = cpus;
        load.workingSet = workingSet;
    }

    private static void sample(Load load) {
        long now = System.currentTimeMillis();
        if (load.at > 0) {
            double seconds = (now - load.at) / MILLIS;
            load.cpuSeconds += Math.min(load.cpus, load.limit) * seconds;
            load.stalled += load.cpus > load.limit ? seconds : 0;
        }
        load.at = now;
    }

    private void serve(HttpServerRequest request) {
        tokens.add(String.valueOf(request.getHeader(TOKEN_HEADER)));
        var text = new StringBuilder("# HELP a text in the format of a kubelet\n");
        loads.forEach((pod, load) -> {
            if (load.at == 0) {
                return;
            }
            var labels = "{container=\"main\",namespace=\"" + load.namespace + "\",pod=\"" + pod + "\"} ";
            if (request.path().equals("/metrics/resource")) {
                line(text, "container_cpu_usage_seconds_total" + labels, load.cpuSeconds, load.at);
                line(text, "container_memory_working_set_bytes" + labels, load.workingSet, load.at);
            } else {
                line(text, "container_pressure_cpu_waiting_seconds_total" + labels, load.stalled, load.at);
            }
        });
        request.response().end(Buffer.buffer(text.append("scrape_error 0\n").toString()));
    }

    private static void line(StringBuilder text, String head, double value, long at) {
        text.append(head).append(String.format(Locale.ROOT, "%f %d%n", value, at));
    }

    private void apply() {
        for (var pod : raw.get("/api/v1/pods?fieldSelector=spec.nodeName%3D" + node)
                .body()
                .path("items")) {
            var name = pod.at("/metadata/name").asText();
            var resources = pod.at("/spec/containers/0/resources");
            var cpu = resources.at("/limits/cpu").asText("");
            var load = loads.computeIfAbsent(name, key -> new Load());
            load.namespace = pod.at("/metadata/namespace").asText();
            load.limit = cpu.isEmpty() ? Double.MAX_VALUE : Quantities.milliCpu(cpu) / MILLIS;
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
        container.put("image", "none").put("imageID", "none");
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
    }
}
