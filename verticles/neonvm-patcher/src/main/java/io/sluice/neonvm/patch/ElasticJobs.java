package io.sluice.neonvm.patch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.messages.vm.ElasticJobList;
import io.sluice.messages.vm.ListElasticJobs;
import io.sluice.messages.vm.ScaleJob;
import io.sluice.messages.vm.ScaleReply;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.core.elastic.ElasticFields;
import io.sluice.neonvm.core.objects.KubernetesJson;
import io.sluice.neonvm.core.objects.PatchOutcome;
import io.vertx.core.Future;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads elastic jobs with what they scale, and writes their statuses and scales. It creates and deletes nothing. */
final class ElasticJobs {
    private static final int JOBS_MAX = 200;
    private static final int PODS_MAX = 5_000;
    private static final int AT_ONCE = 8;
    private static final int NOT_FOUND = 404;

    private final KubernetesApi api;

    ElasticJobs(KubernetesApi api) {
        this.api = api;
    }

    /** A Kubernetes cluster without the kind has no jobs. */
    Future<ElasticJobList> list(ListElasticJobs request) {
        return api.get(ElasticFields.allJobs(JOBS_MAX))
                .compose(answer -> {
                    if (answer.status() == NOT_FOUND) {
                        return Future.succeededFuture(List.<JsonNode>of());
                    }
                    return answer.isSuccess()
                            ? read(request, answer.body().path("items"))
                            : Future.failedFuture("the list of elastic jobs was answered " + answer.status()
                                    + PatchOutcome.words(answer.body()));
                })
                .map(jobs ->
                        new ElasticJobList(jobs.stream().map(JsonNode::toString).toList(), ""))
                .otherwise(failure -> new ElasticJobList(List.of(), KubernetesApi.words(failure)));
    }

    private Future<List<JsonNode>> read(ListElasticJobs request, JsonNode items) {
        var jobs = new ArrayList<JsonNode>();
        items.forEach(jobs::add);
        if (!request.whole()) {
            return Future.succeededFuture(
                    jobs.stream().<JsonNode>map(ElasticFields::named).toList());
        }
        var quotas = new HashMap<String, Future<JsonNode>>();
        Future<List<JsonNode>> all = Future.succeededFuture(new ArrayList<>());
        for (int begin = 0; begin < jobs.size(); begin += AT_ONCE) {
            var some = jobs.subList(begin, Math.min(jobs.size(), begin + AT_ONCE));
            all = all.compose(before -> Future.join(
                            some.stream().map(job -> whole(job, quotas)).toList())
                    .map(read -> {
                        before.addAll(read.<ObjectNode>list());
                        return before;
                    }));
        }
        return all;
    }

    /** What cannot be read of a job is its own fault, and stops no other. */
    private Future<ObjectNode> whole(JsonNode job, Map<String, Future<JsonNode>> quotas) {
        var path = ElasticFields.targetPath(job);
        var namespace = ElasticFields.namespace(job);
        return found(path)
                .compose(target -> found(path + "/scale")
                        .compose(scale -> found(podsPath(namespace, scale))
                                .compose(pods -> quotas.computeIfAbsent(namespace, this::quotas)
                                        .map(quota -> ElasticFields.job(job, target, scale, pods, quota)))))
                .otherwise(failure -> ElasticFields.broken(job, KubernetesApi.words(failure)));
    }

    private Future<JsonNode> quotas(String namespace) {
        return found("/api/v1/namespaces/" + namespace + "/resourcequotas");
    }

    private static String podsPath(String namespace, JsonNode scale) {
        var selector = scale.path("status").path("selector").asText("");
        if (selector.isEmpty()) {
            throw new IllegalArgumentException("its scale has no selector");
        }
        return "/api/v1/namespaces/" + namespace + "/pods?limit=" + PODS_MAX + "&labelSelector="
                + URLEncoder.encode(selector, StandardCharsets.UTF_8);
    }

    private Future<JsonNode> found(String path) {
        return api.get(path)
                .compose(answer -> answer.isSuccess()
                        ? Future.succeededFuture(answer.body())
                        : Future.failedFuture("GET " + path + " was answered " + answer.status()
                                + PatchOutcome.words(answer.body())));
    }

    /** The status comes first: by it another process knows what was decided. */
    Future<ScaleReply> scale(ScaleJob request) {
        return status(request)
                .compose(written -> request.replicas() < 0 ? Future.succeededFuture() : replicas(request))
                .compose(written -> resize(request))
                .map(written -> new ScaleReply(""))
                .otherwise(failure -> new ScaleReply(KubernetesApi.words(failure)));
    }

    private Future<JsonNode> status(ScaleJob request) {
        var object = versioned(request.version());
        object.set("status", json(request.status()));
        return written(api.merge(
                "ElasticJob",
                ElasticFields.jobPath(request.namespace(), request.name()) + "/status",
                object.toString()));
    }

    private Future<JsonNode> replicas(ScaleJob request) {
        var target = request.target();
        var object = versioned(target.version());
        object.putObject("spec").put("replicas", request.replicas());
        var path = ElasticFields.targetPath(request.namespace(), target.apiVersion(), target.kind(), target.name());
        return written(api.merge("Scale", path + "/scale", object.toString()));
    }

    private Future<Void> resize(ScaleJob request) {
        Future<Void> all = Future.succeededFuture();
        for (var resize : request.resizes()) {
            all = all.compose(before -> resize(request.namespace(), resize));
        }
        return all;
    }

    /** The pod is read for the name of its container. */
    private Future<Void> resize(String namespace, ScaleJob.Resize resize) {
        var path = KubernetesApi.podPath(namespace, resize.pod());
        return found(path)
                .compose(pod -> written(api.mergeLists(
                                "Pod",
                                path + "/resize",
                                ElasticFields.resized(
                                                pod.path("spec")
                                                        .path("containers")
                                                        .path(0)
                                                        .path("name")
                                                        .asText(""),
                                                resize.size().milliCpu(),
                                                resize.size().memoryBytes())
                                        .toString()))
                        .mapEmpty());
    }

    private static ObjectNode versioned(String version) {
        var object = KubernetesJson.MAPPER.createObjectNode();
        object.putObject("metadata").put("resourceVersion", version);
        return object;
    }

    private static JsonNode json(String status) {
        try {
            return KubernetesJson.MAPPER.readTree(status);
        } catch (JsonProcessingException noJson) {
            return MissingNode.getInstance();
        }
    }

    private static Future<JsonNode> written(Future<KubernetesApi.Answer> sent) {
        return sent.compose(answer -> answer.isSuccess()
                ? Future.succeededFuture(answer.body())
                : Future.failedFuture("the patch was answered " + answer.status() + PatchOutcome.words(answer.body())));
    }
}
