package io.sluice.cluster.placement;

import io.sluice.devices.PodFingerprint;
import io.sluice.lab.api.LabPaths;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * It writes, as the exporters of all nodes do, what the kubelets have in their zones: at once, and then again and
 * again, each time late.
 */
final class ZoneExporter implements AutoCloseable {
    private static final int EVERY_MS = 300;
    private static final Duration CALL_MAX = Duration.ofSeconds(5);

    private final HttpClient http = HttpClient.newHttpClient();
    private final String zones;
    private final List<String> nodes;
    private final PodAudit kubelets;
    private final Map<String, JsonObject> found = new HashMap<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

    /** @param api URL of the API server */
    ZoneExporter(String api, List<String> nodes, PodAudit kubelets) {
        zones = api + LabPaths.ZONES;
        this.nodes = nodes;
        this.kubelets = kubelets;
    }

    /** Begins; each node has its first report when this returns. */
    void start() throws IOException, InterruptedException {
        for (var node : nodes) {
            send("POST", zones, "application/json", topology(node));
        }
        thread.scheduleWithFixedDelay(this::report, EVERY_MS, EVERY_MS, TimeUnit.MILLISECONDS);
    }

    /** What is written was found one period before. A report that fails is made anew the next time. */
    private void report() {
        try {
            for (var node : nodes) {
                var before = found.put(node, topology(node));
                if (before != null) {
                    send("PATCH", zones + "/" + node, "application/merge-patch+json", before);
                }
            }
        } catch (IOException again) {
            System.out.println("a report of zones failed: " + again);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    private JsonObject topology(String node) {
        var report = kubelets.report(node);
        var pods = report.pods().stream()
                .map(pod -> Map.entry(LabPaths.NAMESPACE, pod))
                .toList();
        var list = new JsonArray();
        for (int zone = 0; zone < report.free().size(); zone++) {
            var free = report.free().get(zone);
            list.add(new JsonObject()
                    .put("name", "node-" + zone)
                    .put("type", "Node")
                    .put(
                            "resources",
                            new JsonArray()
                                    .add(resource("cpu", free.milliCpu() + "m"))
                                    .add(resource("memory", Long.toString(free.memoryBytes())))));
        }
        return new JsonObject()
                .put("metadata", new JsonObject().put("name", node))
                .put(
                        "attributes",
                        new JsonArray()
                                .add(attribute("topologyManagerPolicy", "single-numa-node"))
                                .add(attribute("topologyManagerScope", "container"))
                                .add(attribute("nodeTopologyPodsFingerprint", PodFingerprint.of(pods))))
                .put("zones", list);
    }

    private JsonObject resource(String name, String available) {
        var total = name.equals("cpu")
                ? kubelets.zoneTotal().milliCpu() + "m"
                : Long.toString(kubelets.zoneTotal().memoryBytes());
        return new JsonObject().put("name", name).put("allocatable", total).put("available", available);
    }

    private static JsonObject attribute(String name, String value) {
        return new JsonObject().put("name", name).put("value", value);
    }

    private void send(String method, String url, String type, JsonObject body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(url))
                .timeout(CALL_MAX)
                .header("Content-Type", type)
                .method(method, BodyPublishers.ofString(body.encode()))
                .build();
        var reply = http.send(request, BodyHandlers.ofString());
        if (reply.statusCode() >= 300) {
            throw new IOException(url + " was answered " + reply.statusCode() + ": " + reply.body());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        http.shutdownNow();
    }
}
