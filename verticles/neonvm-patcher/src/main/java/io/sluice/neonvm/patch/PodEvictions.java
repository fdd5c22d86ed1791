package io.sluice.neonvm.patch;

import io.sluice.messages.vm.EvictPod;
import io.sluice.messages.vm.EvictReply;
import io.sluice.messages.vm.NominateNode;
import io.sluice.messages.vm.PodBinding;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.core.objects.BindingObjects;
import io.sluice.neonvm.core.objects.EventObjects;
import io.sluice.neonvm.core.objects.EvictionObjects;
import io.sluice.neonvm.core.objects.PatchOutcome;
import io.vertx.core.Future;
import java.time.InstantSource;

/**
 * Evicts pods by the Eviction API, with an Event on the pod and one on that for which it is evicted, and writes to pods
 * that wait on which node room is made for them.
 */
final class PodEvictions {
    private static final int NOT_FOUND = 404;
    private static final int TOO_MANY_REQUESTS = 429;

    private final KubernetesApi api;
    private final InstantSource clock;

    /** @param clock shows the time of day, which people read */
    PodEvictions(KubernetesApi api, InstantSource clock) {
        this.api = api;
        this.clock = clock;
    }

    Future<EvictReply> evict(EvictPod request) {
        var path = KubernetesApi.podPath(request.namespace(), request.name()) + "/eviction";
        return api.create("Eviction", path, EvictionObjects.create(request))
                .map(answer -> answered(request, answer))
                .otherwise(failure -> new EvictReply.Failed(KubernetesApi.words(failure)))
                .onSuccess(reply -> writeEvents(request, reply));
    }

    private static EvictReply answered(EvictPod request, KubernetesApi.Answer answer) {
        if (answer.isSuccess()) {
            return new EvictReply.Evicted();
        }
        if (answer.status() == NOT_FOUND
                || answer.status() == PatchOutcome.CONFLICT && EvictionObjects.isOfAnother(request, answer.body())) {
            return new EvictReply.Gone();
        }
        return answer.status() == TOO_MANY_REQUESTS
                ? EvictionObjects.refusalOfBudget(answer.body())
                        .<EvictReply>map(EvictReply.RefusedByBudget::new)
                        .orElseGet(() -> failed(answer))
                : failed(answer);
    }

    private static EvictReply failed(KubernetesApi.Answer answer) {
        return new EvictReply.Failed(
                "the Eviction was answered " + answer.status() + PatchOutcome.words(answer.body()));
    }

    /** Nothing waits for them, and one that cannot be written is left out. */
    private void writeEvents(EvictPod request, EvictReply reply) {
        EvictionObjects.events(request, reply, clock.instant())
                .forEach(event ->
                        api.create(EventObjects.KIND, KubernetesApi.eventsPath(event.namespace()), event.object()));
    }

    /** It goes through the pod's status, as {@link PodBindings#touch}. */
    Future<PodBinding> nominate(NominateNode request) {
        var path = KubernetesApi.podPath(request.namespace(), request.name()) + "/status";
        return api.merge("Pod", path, EvictionObjects.nominated(request))
                .map(answer -> answer.isSuccess()
                        ? BindingObjects.binding(request.uid(), answer.body())
                        : answer.status() == NOT_FOUND
                                ? new PodBinding.Gone()
                                : new PodBinding.InDoubt("the patch was answered " + answer.status()))
                .otherwise(failure -> new PodBinding.InDoubt(KubernetesApi.words(failure)));
    }
}
