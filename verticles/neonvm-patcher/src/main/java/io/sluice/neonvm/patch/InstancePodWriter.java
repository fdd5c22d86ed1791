package io.sluice.neonvm.patch;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.vm.EndReply;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.worker.EndPod;
import io.sluice.messages.worker.InstancePods;
import io.sluice.messages.worker.ListInstancePods;
import io.sluice.messages.worker.RunPod;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.core.InstancePodReader;
import io.sluice.neonvm.core.objects.KubernetesJson;
import io.sluice.neonvm.core.objects.PatchOutcome;
import io.sluice.units.WorkerNames;
import io.vertx.core.Future;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Creates, deletes and lists the pods that run instances. */
final class InstancePodWriter {
    private static final String KIND = "Pod";
    private static final int NOT_FOUND = 404;
    private static final int CONFLICT = 409;
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int PAGE = 500;

    private final KubernetesApi api;

    InstancePodWriter(KubernetesApi api) {
        this.api = api;
    }

    /** A pod of that name that is of the same start on the same node was created by an earlier request. */
    Future<PodBinding> run(RunPod request) {
        JsonNode object;
        try {
            object = KubernetesJson.MAPPER.readTree(request.object());
        } catch (JsonProcessingException unreadable) {
            return Future.succeededFuture(new PodBinding.Refused("the pod is no JSON"));
        }
        var node = object.path("spec").path("nodeName").asText("");
        return api.create(KIND, KubernetesApi.podsPath(request.namespace()), request.object())
                .compose(answer -> answer.status() == CONFLICT
                        ? existing(request, object, node)
                        : Future.succeededFuture(created(answer, node)))
                .otherwise(failure -> failure instanceof KubernetesApi.NotSentException
                        ? new PodBinding.Refused(KubernetesApi.words(failure))
                        : new PodBinding.InDoubt(KubernetesApi.words(failure)));
    }

    private static PodBinding created(KubernetesApi.Answer answer, String node) {
        if (answer.isSuccess()) {
            return new PodBinding.Bound(node);
        }
        var words = "the pod was answered " + answer.status() + PatchOutcome.words(answer.body());
        boolean certain = answer.status() >= 400 && answer.status() < 500 && answer.status() != TOO_MANY_REQUESTS;
        return certain ? new PodBinding.Refused(words) : new PodBinding.InDoubt(words);
    }

    private Future<PodBinding> existing(RunPod request, JsonNode object, String node) {
        return api.get(KubernetesApi.podPath(request.namespace(), request.name()))
                .map(answer -> {
                    if (!answer.isSuccess()) {
                        return new PodBinding.InDoubt("the pod exists, and reading it was answered " + answer.status());
                    }
                    return InstancePodReader.isSame(object, answer.body())
                            ? new PodBinding.Bound(node)
                            : new PodBinding.Refused("there is another pod " + request.name());
                });
    }

    Future<EndReply> end(EndPod request) {
        var options = KubernetesJson.MAPPER.createObjectNode();
        options.put("gracePeriodSeconds", request.graceSeconds())
                .putObject("preconditions")
                .put("uid", request.uid());
        return api.delete(KIND, KubernetesApi.podPath(request.namespace(), request.name()), options.toString())
                .<EndReply>map(
                        answer -> answer.isSuccess() || answer.status() == NOT_FOUND || answer.status() == CONFLICT
                                ? new EndReply.Ended()
                                : new EndReply.Failed("the deletion was answered " + answer.status()
                                        + PatchOutcome.words(answer.body())))
                .otherwise(failure -> new EndReply.Failed(KubernetesApi.words(failure)));
    }

    Future<InstancePods> list(ListInstancePods request) {
        return page(request.namespace(), "", new ArrayList<>())
                .map(pods -> new InstancePods(pods, ""))
                .otherwise(failure -> new InstancePods(List.of(), KubernetesApi.words(failure)));
    }

    private Future<List<InstancePods.Pod>> page(String namespace, String from, List<InstancePods.Pod> before) {
        var path = KubernetesApi.podsPath(namespace) + "?limit=" + PAGE + "&labelSelector=" + WorkerNames.POD_LABEL
                + "=true" + (from.isEmpty() ? "" : "&continue=" + URLEncoder.encode(from, StandardCharsets.UTF_8));
        return api.get(path).compose(answer -> {
            if (!answer.isSuccess()) {
                return Future.failedFuture(
                        "the list of pods was answered " + answer.status() + PatchOutcome.words(answer.body()));
            }
            before.addAll(InstancePodReader.all(answer.body()));
            var next = answer.body().path("metadata").path("continue").asText("");
            return next.isEmpty() ? Future.succeededFuture(before) : page(namespace, next, before);
        });
    }
}
