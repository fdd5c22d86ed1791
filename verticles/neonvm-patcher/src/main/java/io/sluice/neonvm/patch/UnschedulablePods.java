package io.sluice.neonvm.patch;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.vm.PodBinding;
import io.sluice.messages.vm.UnschedulablePod;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.core.objects.BindingObjects;
import io.sluice.neonvm.core.objects.EventObjects;
import io.sluice.neonvm.core.objects.UnschedulableObjects;
import io.vertx.core.Future;
import java.time.InstantSource;

/** Writes why a pod waits to its condition and to an Event, unless its condition has that reason already. */
final class UnschedulablePods {
    private static final int NOT_FOUND = 404;

    private final KubernetesApi api;
    private final InstantSource clock;

    /** @param clock shows the time of day, which people read */
    UnschedulablePods(KubernetesApi api, InstantSource clock) {
        this.api = api;
        this.clock = clock;
    }

    Future<PodBinding> report(UnschedulablePod report) {
        var path = KubernetesApi.podPath(report.namespace(), report.name());
        return api.get(path)
                .compose(found -> {
                    if (!found.isSuccess()) {
                        return Future.succeededFuture(notWritten("reading the pod", found));
                    }
                    var binding = BindingObjects.binding(report.uid(), found.body());
                    return binding instanceof PodBinding.Unbound
                                    && !UnschedulableObjects.isReported(report, found.body())
                            ? write(report, path, found.body())
                            : Future.succeededFuture(binding);
                })
                .otherwise(failure -> new PodBinding.InDoubt(KubernetesApi.words(failure)));
    }

    private Future<PodBinding> write(UnschedulablePod report, String path, JsonNode pod) {
        var now = clock.instant();
        return api.mergeLists("Pod", path + "/status", UnschedulableObjects.status(report, pod, now))
                .compose(answer -> answer.isSuccess()
                        ? api.create(
                                        EventObjects.KIND,
                                        KubernetesApi.eventsPath(report.namespace()),
                                        UnschedulableObjects.event(report, now))
                                .map(BindingObjects.binding(report.uid(), answer.body()))
                        : Future.succeededFuture(notWritten("the patch", answer)));
    }

    private static PodBinding notWritten(String what, KubernetesApi.Answer answer) {
        return answer.status() == NOT_FOUND
                ? new PodBinding.Gone()
                : new PodBinding.Refused(what + " was answered " + answer.status());
    }
}
