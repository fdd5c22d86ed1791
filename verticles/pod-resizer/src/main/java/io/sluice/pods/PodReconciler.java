package io.sluice.pods;

import io.sluice.pods.api.PodApi;
import io.sluice.pods.core.DownscaleRules;
import io.sluice.pods.core.KubeletDecision;
import io.sluice.pods.core.PodKey;
import io.sluice.pods.core.ResizePlan;
import io.sluice.pods.kubelet.NodePlaces;
import io.sluice.shell.BoundedMap;
import io.sluice.shell.LogKeys;
import io.sluice.shell.pods.PodLimit;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.Resources;
import io.sluice.units.ScaledPodKeys;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends what no process attends to any more: resizes that a kubelet has not accepted long after their permits, and
 * limits that are over. It goes by what the pods show, so it needs no memory of who began it; several processes may do
 * it.
 */
final class PodReconciler {
    private static final Logger LOG = LoggerFactory.getLogger(PodReconciler.class);
    private static final Duration WITHIN = Duration.ofSeconds(5);
    private static final int PODS_MAX = 20_000;

    private final PodApi api;
    private final NodePlaces places;
    private final Duration withdrawAfter;
    private final BiConsumer<ScaledPod, Instant> killed;
    private final Map<String, Waiting> waiting = BoundedMap.ofLastUsed(PODS_MAX);

    private final CleanUps limits;

    private record Waiting(long generation, Instant since) {}

    /**
     * @param random spreads the waits after clean-ups that have failed
     * @param killed receives pods whose status shows that a container was just killed for want of memory, and when
     */
    PodReconciler(
            PodApi api,
            NodePlaces places,
            Duration withdrawAfter,
            RandomGenerator random,
            BiConsumer<ScaledPod, Instant> killed) {
        this.api = api;
        this.places = places;
        this.withdrawAfter = withdrawAfter;
        this.limits = new CleanUps(random);
        this.killed = killed;
    }

    /** Looks after one pod. */
    void tend(ScaledPod pod, Instant now) {
        reportKill(pod, now);
        endLimit(pod, now);
        endResize(pod, now);
    }

    private void reportKill(ScaledPod pod, Instant now) {
        DownscaleRules.killedAt(pod)
                .filter(at -> now.isBefore(at.plus(DownscaleRules.SAMPLE_AGE_MAX)))
                .ifPresent(at -> killed.accept(pod, at));
    }

    private void endLimit(ScaledPod pod, Instant now) {
        var limit = PodLimit.of(pod.annotation(ScaledPodKeys.LIMIT));
        if (limit.isEmpty()) {
            limits.over(pod);
            return;
        }
        var room = limit.get().room().isEmpty()
                ? Future.succeededFuture(Resources.NONE)
                : places.find(pod.json().path("spec").path("nodeName").asText()).map(NodePlaces.Place::room);
        room.onSuccess(known -> {
            if (limit.get().isOver(now, known)) {
                limits.due(
                        pod,
                        now,
                        () -> api.patchLast(
                                PodApi.path(PodKey.of(pod.id())),
                                ResizePlan.annotation(pod, ScaledPodKeys.LIMIT, ""),
                                WITHIN));
            } else {
                limits.over(pod);
            }
        });
    }

    /** A pod is patched only as it was read, so a runner that has just resized it is not disturbed. */
    private void endResize(ScaledPod pod, Instant now) {
        var uid = pod.id().uid();
        if (pod.isDeleted() || !pod.runs() || pod.fence().isEmpty() || !pod.isGrowing() || isAtRest(pod)) {
            waiting.remove(uid);
            return;
        }
        long generation = pod.generation();
        var since = waiting.compute(
                uid,
                (id, before) ->
                        before != null && before.generation() == generation ? before : new Waiting(generation, now));
        if (now.isBefore(since.since().plus(withdrawAfter))) {
            return;
        }
        waiting.put(uid, new Waiting(generation, now));
        LOG.atInfo()
                .addKeyValue(LogKeys.VM, pod.id().label())
                .log("A resize that its kubelet has not accepted is withdrawn.");
        api.patchLast(
                PodApi.path(PodKey.of(pod.id())) + "/resize", ResizePlan.resize(pod, ResizePlan.accepted(pod)), WITHIN);
    }

    private static boolean isAtRest(ScaledPod pod) {
        return switch (KubeletDecision.of(pod)) {
            case KubeletDecision.Accepted _ -> true;
            case KubeletDecision.Unseen _, KubeletDecision.Deferred _, KubeletDecision.Infeasible _ -> false;
        };
    }
}
