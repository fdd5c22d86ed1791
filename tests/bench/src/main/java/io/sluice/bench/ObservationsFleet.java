package io.sluice.bench;

import io.sluice.bench.measurement.Child;
import io.sluice.bench.measurement.Config;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * The process that {@link ObservationsBench} lists. It replies as an API server whose objects never change; each object
 * is about as large as a real one. Objects are generated on request.
 */
final class ObservationsFleet {
    private static final String VERSION = "1000000";
    private static final int AT_ONCE = 500;
    private static final int MANAGERS = 4;
    private static final long BOOKMARK_EVERY_MS = 60_000;

    private final Vertx vertx = Vertx.vertx();
    private final int nodes;
    private final int pods;
    private final int vms;

    private ObservationsFleet(int nodes, int pods, int vms) {
        this.nodes = nodes;
        this.pods = pods;
        this.vms = vms;
    }

    /** Takes the numbers of nodes, pods and VMs; reports its port and the size of their JSON. */
    public static void main(String[] arguments) throws IOException {
        var fleet = new ObservationsFleet(
                Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
        var server = Config.done(
                fleet.vertx.createHttpServer().requestHandler(fleet::answer).listen(0, "127.0.0.1"));
        Child.report("http://127.0.0.1:" + server.actualPort());
        Child.report(Long.toString(fleet.bytes() >> 20));
        Child.untilParentLeaves();
        System.exit(0);
    }

    private long bytes() {
        return (long) node(0).toBuffer().length() * nodes
                + (long) pod(0).toBuffer().length() * pods
                + (long) vm(0).toBuffer().length() * vms;
    }

    private void answer(HttpServerRequest request) {
        if (request.getParam("watch") != null) {
            watch(request.response());
            return;
        }
        var kind = request.path().substring(request.path().lastIndexOf('/') + 1);
        switch (kind) {
            case "nodes" -> list(request, nodes, this::node);
            case "pods" -> list(request, pods, this::pod);
            case "virtualmachines" -> list(request, vms, this::vm);
            default -> list(request, 0, this::vm);
        }
    }

    private void watch(HttpServerResponse response) {
        response.setChunked(true).writeHead();
        var bookmark = new JsonObject()
                .put("type", "BOOKMARK")
                .put("object", new JsonObject().put("metadata", new JsonObject().put("resourceVersion", VERSION)));
        long timer = vertx.setPeriodic(BOOKMARK_EVERY_MS, tick -> response.write(bookmark.encode() + "\n"));
        response.closeHandler(closed -> vertx.cancelTimer(timer));
    }

    private void list(HttpServerRequest request, int count, IntFunction<JsonObject> object) {
        var selector = request.getParam("fieldSelector", "");
        int wanted = selector.isEmpty() ? -1 : Integer.parseInt(selector.substring(selector.lastIndexOf('-') + 1));
        int first = Integer.parseInt(request.getParam("continue", "0"));
        int limit = Integer.parseInt(request.getParam("limit", Integer.toString(count)));
        int end = wanted < 0 ? Math.min(count, first + limit) : count;
        var metadata = new JsonObject().put("resourceVersion", VERSION);
        if (end < count) {
            metadata.put("continue", Integer.toString(end));
        }
        var response = request.response().setChunked(true);
        response.write("{\"metadata\":" + metadata.encode() + ",\"items\":[");
        var indexes = IntStream.range(first, end)
                .filter(index -> wanted < 0 || index % nodes == wanted)
                .toArray();
        write(response, indexes, 0, object).onSuccess(written -> response.end("]}"));
    }

    private Future<Void> write(HttpServerResponse response, int[] indexes, int from, IntFunction<JsonObject> object) {
        var part = Buffer.buffer();
        int end = Math.min(indexes.length, from + AT_ONCE);
        for (int i = from; i < end; i++) {
            part.appendString(i == 0 ? "" : ",")
                    .appendBuffer(object.apply(indexes[i]).toBuffer());
        }
        return response.write(part)
                .compose(written ->
                        end < indexes.length ? write(response, indexes, end, object) : Future.succeededFuture());
    }

    private JsonObject node(int index) {
        var allocatable =
                new JsonObject().put("cpu", "64").put("memory", "256Gi").put("pods", "110");
        var images = new JsonArray();
        for (int image = 0; image < 30; image++) {
            images.add(new JsonObject()
                    .put(
                            "names",
                            new JsonArray().add("registry.example/team/image-" + image + "@sha256:" + hash(image)))
                    .put("sizeBytes", 100_000_000 + image));
        }
        return new JsonObject()
                .put("metadata", metadata("node-" + index))
                .put("status", new JsonObject().put("allocatable", allocatable).put("images", images));
    }

    /** A pod; the first ones are runner pods. */
    private JsonObject pod(int index) {
        var metadata = metadata("pod-" + index);
        if (index < vms) {
            metadata.getJsonObject("labels").put("vm.neon.tech/name", "vm-" + index);
            metadata.getJsonObject("annotations").put("vm.neon.tech/usage", "{\"cpu\":\"250m\",\"memory\":\"1Gi\"}");
        }
        var environment = new JsonArray();
        for (int variable = 0; variable < 20; variable++) {
            environment.add(new JsonObject().put("name", "VARIABLE_" + variable).put("value", hash(variable)));
        }
        var container = new JsonObject()
                .put("name", "main")
                .put("image", "registry.example/team/image@sha256:" + hash(index))
                .put("env", environment)
                .put(
                        "resources",
                        new JsonObject()
                                .put(
                                        "requests",
                                        new JsonObject().put("cpu", "250m").put("memory", "512Mi")));
        return new JsonObject()
                .put("metadata", metadata)
                .put(
                        "spec",
                        new JsonObject()
                                .put("nodeName", "node-" + index % nodes)
                                .put("containers", new JsonArray().add(container)));
    }

    private JsonObject vm(int index) {
        var metadata = metadata("vm-" + index);
        metadata.getJsonObject("labels").put("autoscaling.neon.tech/enabled", "true");
        metadata.getJsonObject("annotations")
                .put(
                        "autoscaling.neon.tech/bounds",
                        "{\"min\":{\"cpu\":\"250m\",\"mem\":\"1Gi\"},\"max\":{\"cpu\":\"4\",\"mem\":\"16Gi\"}}");
        var cpus = new JsonObject().put("min", "250m").put("max", "4").put("use", "250m");
        var slots = new JsonObject().put("min", 1).put("max", 16).put("use", 1);
        var guest = new JsonObject().put("cpus", cpus).put("memorySlots", slots).put("memorySlotSize", "1Gi");
        return new JsonObject()
                .put("metadata", metadata)
                .put(
                        "spec",
                        new JsonObject()
                                .put("schedulerName", "autoscale-scheduler")
                                .put("guest", guest))
                .put("status", status(index));
    }

    private JsonObject status(int index) {
        return new JsonObject()
                .put("phase", "Running")
                .put("podName", "pod-" + index)
                .put("podIP", "10.0.0.1")
                .put("node", "node-" + index % nodes)
                .put("cpus", "250m")
                .put("memorySize", "1Gi");
    }

    /** Metadata with managed fields, as an API server stores them. */
    private static JsonObject metadata(String name) {
        var managers = new JsonArray();
        for (int manager = 0; manager < MANAGERS; manager++) {
            var fields = new JsonObject();
            for (int field = 0; field < 10; field++) {
                fields.put(
                        "f:field-" + field,
                        new JsonObject()
                                .put("f:inner-" + field, new JsonObject())
                                .put(".", ""));
            }
            managers.add(new JsonObject()
                    .put("manager", "manager-" + manager)
                    .put("operation", "Update")
                    .put("apiVersion", "v1")
                    .put("time", "2026-11-21T00:00:00Z")
                    .put("fieldsType", "FieldsV1")
                    .put("fieldsV1", fields));
        }
        return new JsonObject()
                .put("name", name)
                .put("namespace", "default")
                .put("uid", "00000000-0000-4000-8000-" + hash(name.hashCode()).substring(0, 12) + name)
                .put("resourceVersion", "1000")
                .put("creationTimestamp", "2026-11-21T00:00:00Z")
                .put("labels", new JsonObject().put("app", name).put("pod-template-hash", hash(name.hashCode())))
                .put("annotations", new JsonObject().put("checksum/config", hash(name.hashCode() + 1)))
                .put("managedFields", managers);
    }

    private static String hash(int of) {
        return "%08x".formatted(of).repeat(8);
    }
}
