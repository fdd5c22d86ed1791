package io.sluice.neonvm.patch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.ReadPod;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.core.objects.BindingObjects;
import io.sluice.neonvm.core.objects.PatchOutcome;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.List;

/**
 * Creates the Bindings of pods, and reads where pods are bound. After any answer that leaves the result open, it reads
 * the pod: only a pod that is bound shows that the Binding has taken effect, and an unbound one may still be bound by a
 * request that is under way.
 */
final class PodBindings {
    private static final int NOT_FOUND = 404;
    private static final int TOO_MANY_REQUESTS = 429;

    private final KubernetesApi api;
    private final MeterRegistry meters;
    private final InstantSource clock;

    /** @param clock its time is written to pods that are woken, so it shows the time of day */
    PodBindings(KubernetesApi api, MeterRegistry meters, InstantSource clock) {
        this.api = api;
        this.clock = clock;
        this.meters = meters;
        List.of("bound", "elsewhere", "gone", "refused", "in_doubt").forEach(this::binds);
    }

    Future<PodBinding> bind(BindPod request) {
        var path = KubernetesApi.podPath(request.namespace(), request.name()) + "/binding";
        return api.create("Binding", path, BindingObjects.create(request))
                .compose(answer -> answered(request, answer))
                .recover(failure -> failure instanceof KubernetesApi.NotSentException
                        ? Future.succeededFuture(new PodBinding.Refused(KubernetesApi.words(failure)))
                        : readAfter(request, KubernetesApi.words(failure)))
                .onSuccess(binding -> binds(outcome(request, binding)).increment());
    }

    private Future<PodBinding> answered(BindPod request, KubernetesApi.Answer answer) {
        if (answer.isSuccess()) {
            return Future.succeededFuture(new PodBinding.Bound(request.node()));
        }
        var words = "the Binding was answered " + answer.status() + PatchOutcome.words(answer.body());
        boolean certain = answer.status() >= 400
                && answer.status() < 500
                && answer.status() != PatchOutcome.CONFLICT
                && answer.status() != NOT_FOUND
                && answer.status() != TOO_MANY_REQUESTS;
        return certain ? Future.succeededFuture(new PodBinding.Refused(words)) : readAfter(request, words);
    }

    private Future<PodBinding> readAfter(BindPod request, String words) {
        return read(new ReadPod(request.uid(), request.namespace(), request.name()))
                .map(found -> switch (found) {
                    case PodBinding.Bound _, PodBinding.Gone _ -> found;
                    case PodBinding.Unbound _, PodBinding.Refused _ -> new PodBinding.InDoubt(words);
                    case PodBinding.InDoubt(var reason) -> new PodBinding.InDoubt(words + "; " + reason);
                });
    }

    Future<PodBinding> read(ReadPod request) {
        return api.get(KubernetesApi.podPath(request.namespace(), request.name()))
                .map(answer -> {
                    if (answer.status() == NOT_FOUND) {
                        return new PodBinding.Gone();
                    }
                    return answer.isSuccess()
                            ? BindingObjects.binding(request.uid(), answer.body())
                            : new PodBinding.InDoubt("reading the pod was answered " + answer.status());
                })
                .otherwise(failure ->
                        new PodBinding.InDoubt("the pod could not be read: " + KubernetesApi.words(failure)));
    }

    /**
     * Changes an annotation of a pod, so that its scheduler sees an update and tries it again. The annotation goes
     * through the pod's status, for which a smaller right is enough.
     */
    Future<PodBinding> wake(ReadPod request) {
        var path = KubernetesApi.podPath(request.namespace(), request.name()) + "/status";
        return api.merge("Pod", path, BindingObjects.wake(request.uid(), clock.instant()))
                .map(answer -> {
                    if (answer.status() == NOT_FOUND || answer.status() == PatchOutcome.CONFLICT) {
                        return new PodBinding.Gone();
                    }
                    return answer.isSuccess()
                            ? BindingObjects.binding(request.uid(), answer.body())
                            : new PodBinding.Refused("the patch was answered " + answer.status());
                })
                .otherwise(failure -> new PodBinding.InDoubt(KubernetesApi.words(failure)));
    }

    private static String outcome(BindPod request, PodBinding binding) {
        return switch (binding) {
            case PodBinding.Bound(var node) -> node.equals(request.node()) ? "bound" : "elsewhere";
            case PodBinding.Gone _ -> "gone";
            case PodBinding.Unbound _, PodBinding.Refused _ -> "refused";
            case PodBinding.InDoubt _ -> "in_doubt";
        };
    }

    private Counter binds(String outcome) {
        return Counter.builder("sluice.vm.pod.binds")
                .description("Bindings of pods, by outcome")
                .tag("outcome", outcome)
                .register(meters);
    }
}
