package io.sluice.lab.scheduler;

import io.sluice.lab.api.ApiClient;
import io.sluice.lab.api.LabPaths;
import io.sluice.lab.scheduler.core.ExtenderRound;
import io.sluice.shell.Backoff;
import io.sluice.shell.LogKeys;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Simulates a kube-scheduler that leaves everything to its extender: it calls {@code filter}, {@code prioritize} and
 * {@code bind} for each pod without a node. A pod that no node can take is tried again when more of it than its status
 * changes, and an attempt that failed is tried again after kube-scheduler's back-off. Targets of migrations are bound
 * by the simulation of migrations.
 */
public final class PodScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(PodScheduler.class);
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));

    /** Longer than the requests of a bind may take. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private static final String METADATA = "metadata";
    private static final String STATUS = "status";

    private final Vertx vertx;
    private final ApiClient api;
    private final String extender;
    private final RandomGenerator random;
    private final HttpClient http;
    private final Map<String, Waiting> pods = new HashMap<>();

    /** A pod without a node. */
    private static final class Waiting {
        private final Backoff.Failures failures;
        private JsonObject pod;
        private boolean busy;
        private boolean changed;

        Waiting(JsonObject pod, Backoff.Failures failures) {
            this.pod = pod;
            this.failures = failures;
        }
    }

    /** @param extender the URL under which its verbs are */
    public PodScheduler(Vertx vertx, ApiClient api, String extender, RandomGenerator random) {
        this.vertx = vertx;
        this.api = api;
        this.extender = extender;
        this.random = random;
        http = vertx.createHttpClient(new HttpClientOptions().setMetricsName("lab"));
    }

    /** Begins to watch; ends with the API client. */
    public void start() {
        api.follow(LabPaths.PODS, this::changed, gone -> pods.remove(uid(gone)));
    }

    /** Ends its requests. */
    public Future<Void> close() {
        return http.close();
    }

    private void changed(JsonObject pod) {
        if (!isWaiting(pod)) {
            pods.remove(uid(pod));
            return;
        }
        var known = pods.get(uid(pod));
        if (known == null) {
            var waiting = new Waiting(pod, BACKOFF.failures(random));
            pods.put(uid(pod), waiting);
            attempt(waiting);
            return;
        }
        boolean differs = !withoutStatus(known.pod).equals(withoutStatus(pod));
        known.pod = pod;
        if (differs && known.busy) {
            known.changed = true;
        } else if (differs) {
            attempt(known);
        }
    }

    private static boolean isWaiting(JsonObject pod) {
        boolean isTarget = pod.getJsonObject(METADATA).getJsonArray("ownerReferences", new JsonArray()).stream()
                .map(JsonObject.class::cast)
                .anyMatch(owner -> "VirtualMachineMigration".equals(owner.getString("kind")));
        return !isTarget && !pod.getJsonObject("spec").containsKey("nodeName");
    }

    private static JsonObject withoutStatus(JsonObject pod) {
        var metadata = pod.getJsonObject(METADATA);
        return new JsonObject()
                .put("labels", metadata.getValue("labels"))
                .put("annotations", metadata.getValue("annotations"))
                .put("spec", pod.getValue("spec"));
    }

    private void attempt(Waiting waiting) {
        waiting.busy = true;
        waiting.changed = false;
        place(waiting.pod)
                .onComplete(
                        fits -> {
                            waiting.busy = false;
                            if (fits) {
                                waiting.failures.reset();
                            } else if (waiting.changed) {
                                later(waiting);
                            }
                        },
                        failure -> {
                            LOG.atDebug()
                                    .addKeyValue(LogKeys.POD, label(waiting.pod))
                                    .addKeyValue(LogKeys.REASON, String.valueOf(failure.getMessage()))
                                    .log("A pod was not placed; trying again.");
                            later(waiting);
                        });
    }

    private void later(Waiting waiting) {
        waiting.busy = true;
        vertx.setTimer(waiting.failures.nextMs(), timer -> {
            waiting.busy = false;
            if (!api.isClosed() && pods.get(uid(waiting.pod)) == waiting) {
                attempt(waiting);
            }
        });
    }

    /** Completes with whether some node could take the pod, and it is bound there. */
    private Future<Boolean> place(JsonObject pod) {
        return api.get(LabPaths.NODES).compose(list -> {
            var nodes = names(list);
            var args = new JsonObject().put("Pod", pod).put("NodeNames", new JsonArray(nodes));
            return call("/filter", args).compose(PodScheduler::withoutError).compose(filtered -> {
                var fit = filtered.getJsonArray("NodeNames").stream()
                        .map(String.class::cast)
                        .toList();
                return fit.isEmpty()
                        ? unschedulable(pod, ExtenderRound.message(nodes.size(), failed(filtered)))
                        : prioritize(pod, fit);
            });
        });
    }

    private Future<Boolean> prioritize(JsonObject pod, List<String> fit) {
        var args = new JsonObject().put("Pod", pod).put("NodeNames", new JsonArray(fit));
        return call("/prioritize", args)
                .map(reply -> ExtenderRound.best(fit, scores(reply.getJsonArray("list")))
                        .orElseThrow())
                .compose(node -> bind(pod, node));
    }

    private Future<Boolean> bind(JsonObject pod, String node) {
        var metadata = pod.getJsonObject(METADATA);
        var args = new JsonObject()
                .put("PodName", metadata.getString("name"))
                .put("PodNamespace", metadata.getString("namespace"))
                .put("PodUID", uid(pod))
                .put("Node", node);
        return call("/bind", args).compose(PodScheduler::withoutError).map(bound -> true);
    }

    private static Map<String, Integer> scores(JsonArray list) {
        var scores = new TreeMap<String, Integer>();
        list.stream()
                .map(JsonObject.class::cast)
                .forEach(score -> scores.put(score.getString("Host"), score.getInteger("Score")));
        return scores;
    }

    private static Map<String, String> failed(JsonObject filtered) {
        var failed = new TreeMap<String, String>();
        for (var part : List.of("FailedNodes", "FailedAndUnresolvableNodes")) {
            filtered.getJsonObject(part, new JsonObject())
                    .forEach(node -> failed.put(node.getKey(), (String) node.getValue()));
        }
        return failed;
    }

    /** Node autoscalers and users read this condition. */
    private Future<Boolean> unschedulable(JsonObject pod, String message) {
        var condition = new JsonObject()
                .put("type", "PodScheduled")
                .put(STATUS, "False")
                .put("reason", "Unschedulable")
                .put("message", message);
        var status = new JsonObject().put("conditions", new JsonArray().add(condition));
        return api.mergeIfThere(
                        LabPaths.pod(pod.getJsonObject(METADATA).getString("name")) + "/status",
                        new JsonObject().put(STATUS, status))
                .map(written -> false);
    }

    /** A list in the reply is the field {@code list}. */
    private Future<JsonObject> call(String verb, JsonObject args) {
        var options = new RequestOptions()
                .setMethod(HttpMethod.POST)
                .setAbsoluteURI(extender + verb)
                .setTimeout(TIMEOUT.toMillis())
                .putHeader("Content-Type", "application/json");
        return http.request(options)
                .compose(request -> request.send(args.toBuffer()))
                .compose(response -> response.body().compose(body -> {
                    if (response.statusCode() != 200) {
                        return Future.failedFuture(verb + " was answered " + response.statusCode() + ": " + body);
                    }
                    return Future.succeededFuture(
                            Json.decodeValue(body) instanceof JsonArray list
                                    ? new JsonObject().put("list", list)
                                    : body.toJsonObject());
                }));
    }

    private static Future<JsonObject> withoutError(JsonObject reply) {
        var error = reply.getString("Error", "");
        return error.isEmpty() ? Future.succeededFuture(reply) : Future.failedFuture(error);
    }

    private static List<String> names(JsonObject list) {
        return list.getJsonArray("items").stream()
                .map(item -> ((JsonObject) item).getJsonObject(METADATA).getString("name"))
                .toList();
    }

    private static String uid(JsonObject pod) {
        return pod.getJsonObject(METADATA).getString("uid");
    }

    private static String label(JsonObject pod) {
        return LabPaths.NAMESPACE + "/" + pod.getJsonObject(METADATA).getString("name");
    }
}
