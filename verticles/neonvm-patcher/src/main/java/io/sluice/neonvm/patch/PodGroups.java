package io.sluice.neonvm.patch;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.messages.placement.GangState;
import io.sluice.messages.vm.GangReported;
import io.sluice.neonvm.api.KubernetesApi;
import io.sluice.neonvm.core.gangs.PodGroupObjects;
import io.sluice.neonvm.core.objects.EventObjects;
import io.sluice.neonvm.core.objects.PatchOutcome;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/** Writes how far gangs are to the statuses of their objects, and to an Event where the reason is new. */
final class PodGroups {
    private static final int EVENTS_MAX = 10_000;

    private final KubernetesApi api;
    private final InstantSource clock;
    private final Map<String, String> reasons = new LinkedHashMap<>();

    /** @param clock shows the time of day, which people read */
    PodGroups(KubernetesApi api, InstantSource clock) {
        this.api = api;
        this.clock = clock;
    }

    Future<GangReported> report(GangState gang) {
        var path = PodGroupObjects.path(gang.apiGroup(), gang.namespace(), gang.name());
        return api.get(path)
                .compose(found -> {
                    if (!found.isSuccess()) {
                        return Future.succeededFuture(refused("reading the object", found));
                    }
                    return PodGroupObjects.isReported(gang, found.body())
                            ? Future.succeededFuture(new GangReported(""))
                            : write(gang, path, found.body());
                })
                .otherwise(failure -> new GangReported(KubernetesApi.words(failure)));
    }

    private Future<GangReported> write(GangState gang, String path, JsonNode object) {
        var now = clock.instant();
        return api.merge("PodGroup", path + "/status", PodGroupObjects.status(gang, object, now))
                .map(answer -> {
                    if (!answer.isSuccess()) {
                        return refused("the patch", answer);
                    }
                    writeEvent(gang);
                    return new GangReported("");
                });
    }

    /** Nothing waits for it, and one that cannot be written is left out. */
    private void writeEvent(GangState gang) {
        if (gang.reason().equals(reasons.put(gang.uid(), gang.reason()))
                || gang.reason().isEmpty() && !gang.phase().equals("Scheduled")) {
            return;
        }
        if (reasons.size() > EVENTS_MAX) {
            reasons.remove(reasons.keySet().iterator().next());
        }
        api.create(
                EventObjects.KIND,
                KubernetesApi.eventsPath(gang.namespace()),
                PodGroupObjects.event(gang, clock.instant()));
    }

    private static GangReported refused(String what, KubernetesApi.Answer answer) {
        return new GangReported(what + " was answered " + answer.status() + PatchOutcome.words(answer.body()));
    }
}
