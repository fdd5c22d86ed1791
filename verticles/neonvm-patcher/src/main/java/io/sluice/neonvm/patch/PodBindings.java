package io.sluice.neonvm.patch;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.messages.vm.BindPod;
import io.sluice.messages.vm.ChooseVolume;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.TouchPod;
import io.sluice.messages.vm.VolumeChoice;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.core.objects.BindingObjects;
import io.sluice.neonvm.core.objects.PatchOutcome;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

/**
 * Creates the Bindings of pods, and changes pods so that no earlier Binding can take effect. A Binding whose answer
 * does not show its effect is in doubt until its pod is touched. It also chooses volumes for pods.
 */
final class PodBindings {
    private static final int NOT_FOUND = 404;
    private static final int TOO_MANY_REQUESTS = 429;

    private final KubernetesApi api;
    private final MeterRegistry meters;
    private final InstantSource clock;

    /** @param clock its time is written to pods that are touched, so it shows the time of day */
    PodBindings(KubernetesApi api, MeterRegistry meters, InstantSource clock) {
        this.api = api;
        this.clock = clock;
        this.meters = meters;
        List.of("bound", "refused", "in_doubt").forEach(this::binds);
    }

    Future<PodBinding> bind(BindPod request) {
        var path = KubernetesApi.podPath(request.namespace(), request.name()) + "/binding";
        return api.create(
                        "Binding",
                        path,
                        BindingObjects.create(request, clock.instant().getEpochSecond()))
                .map(answer -> answered(request, answer))
                .otherwise(failure -> failure instanceof KubernetesApi.NotSentException
                        ? new PodBinding.Refused(KubernetesApi.words(failure))
                        : new PodBinding.InDoubt(KubernetesApi.words(failure)))
                .onSuccess(binding -> binds(binding).increment());
    }

    private static PodBinding answered(BindPod request, KubernetesApi.Answer answer) {
        if (answer.isSuccess()) {
            return new PodBinding.Bound(request.node());
        }
        var words = "the Binding was answered " + answer.status() + PatchOutcome.words(answer.body());
        boolean certain = answer.status() >= 400
                && answer.status() < 500
                && answer.status() != PatchOutcome.CONFLICT
                && answer.status() != NOT_FOUND
                && answer.status() != TOO_MANY_REQUESTS;
        return certain ? new PodBinding.Refused(words) : new PodBinding.InDoubt(words);
    }

    /** The annotation goes through the pod's status, for which a smaller right is enough. */
    Future<PodBinding> touch(TouchPod request) {
        var path = KubernetesApi.podPath(request.namespace(), request.name()) + "/status";
        // Two touches at one time of the clock differ too.
        var value = clock.instant().truncatedTo(ChronoUnit.MILLIS) + " " + UUID.randomUUID();
        return api.merge("Pod", path, BindingObjects.touch(request.uid(), value))
                .map(answer -> touched(request, answer))
                .otherwise(failure -> notTouched(KubernetesApi.words(failure)));
    }

    private static PodBinding touched(TouchPod request, KubernetesApi.Answer answer) {
        if (answer.status() == NOT_FOUND || BindingObjects.isOfAnother(answer.body())) {
            return new PodBinding.Gone();
        }
        return answer.isSuccess()
                ? BindingObjects.binding(request.uid(), answer.body())
                : notTouched("the answer was " + answer.status() + PatchOutcome.words(answer.body()));
    }

    /** Reserves a volume for a claim, or has one made for a node. */
    Future<VolumeChoice> choose(ChooseVolume choice) {
        return (choice.volume().isEmpty()
                        ? api.merge(
                                "PersistentVolumeClaim",
                                KubernetesApi.claimPath(choice.namespace(), choice.claim()),
                                BindingObjects.selectNode(choice))
                        : api.merge(
                                "PersistentVolume",
                                KubernetesApi.volumePath(choice.volume()),
                                BindingObjects.reserve(choice)))
                .map(answer -> answer.isSuccess()
                        ? ""
                        : "the change was answered " + answer.status() + PatchOutcome.words(answer.body()))
                .otherwise(KubernetesApi::words)
                .map(VolumeChoice::new);
    }

    private static PodBinding notTouched(String reason) {
        return new PodBinding.InDoubt("the pod could not be changed: " + reason);
    }

    private Counter binds(PodBinding binding) {
        return binds(
                switch (binding) {
                    case PodBinding.Bound _ -> "bound";
                    case PodBinding.Refused _ -> "refused";
                    case PodBinding.Gone _, PodBinding.Unbound _, PodBinding.InDoubt _ -> "in_doubt";
                });
    }

    private Counter binds(String outcome) {
        return Counter.builder("sluice.vm.pod.binds")
                .description("Bindings of pods, by outcome")
                .tag("outcome", outcome)
                .register(meters);
    }
}
