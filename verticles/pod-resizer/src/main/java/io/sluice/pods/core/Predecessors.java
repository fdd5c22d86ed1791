package io.sluice.pods.core;

import io.sluice.shell.BoundedMap;
import io.sluice.shell.pods.ScaledPod;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;

/**
 * What pods that have ended needed, for those that their controllers make in their place from the same template. Each
 * serves one successor.
 */
public final class Predecessors {
    /** A pod that is made later than that has another reason. */
    static final Duration KEPT_FOR = Duration.ofMinutes(10);

    private static final int PODS_MAX = 20_000;
    private static final int OF_A_TEMPLATE_MAX = 1_000;
    private static final String REVISION = "controller-revision-hash";

    private final Map<String, Resources> goals = BoundedMap.ofLastUsed(PODS_MAX);
    private final Map<String, Boolean> ended = BoundedMap.ofLastUsed(PODS_MAX);
    private final Map<String, Boolean> begun = BoundedMap.ofLastUsed(PODS_MAX);
    private final Map<String, Deque<Ended>> byTemplate = BoundedMap.ofLastUsed(PODS_MAX);

    private record Ended(Resources size, Instant at) {}

    /** The load of a pod asks for that size. */
    public void needs(String uid, Resources goal) {
        goals.put(uid, goal);
    }

    /** A pod ends, or has ended. What its load asked for counts, else the size that it had. */
    public void ended(ScaledPod pod, Instant now) {
        var uid = pod.id().uid();
        var goal = goals.remove(uid);
        if (ended.put(uid, true) != null) {
            return;
        }
        template(pod).ifPresent(template -> {
            var waiting = byTemplate.computeIfAbsent(template, key -> new ArrayDeque<>());
            waiting.addLast(new Ended(goal == null ? pod.spec() : goal, now));
            if (waiting.size() > OF_A_TEMPLATE_MAX) {
                waiting.removeFirst();
            }
        });
    }

    /** What the predecessor of a pod needed, if the pod is observed for the first time and has one. */
    public Optional<Resources> begins(ScaledPod pod, Instant now) {
        if (begun.put(pod.id().uid(), true) != null) {
            return Optional.empty();
        }
        return template(pod).map(byTemplate::get).flatMap(waiting -> {
            waiting.removeIf(one -> now.isAfter(one.at().plus(KEPT_FOR)));
            return Optional.ofNullable(waiting.pollFirst()).map(Ended::size);
        });
    }

    /** A ReplicaSet has one template; other controllers have a revision for each. */
    private static Optional<String> template(ScaledPod pod) {
        var metadata = pod.json().path("metadata");
        return pod.controller()
                .map(owner ->
                        owner + "/" + metadata.path("labels").path(REVISION).asText());
    }
}
