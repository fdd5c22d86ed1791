package io.sluice.pods.core;

import io.sluice.shell.BoundedMap;
import io.sluice.shell.pods.ScaledPod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Which pod is evicted next, as its node has had no room for its growth for too long: that which has waited longest,
 * one of an owner at a time, and a few of a node within a minute. A pod that no controller would replace stays.
 */
public final class EvictionChoice {
    /** A pod lacks room no more once no status has said so for that long. */
    static final Duration REPORTED_WITHIN = Duration.ofSeconds(90);

    /** After so long without as many pods as before, the owner wants fewer. */
    static final Duration REPLACED_WITHIN = Duration.ofMinutes(10);

    /** The wait after the first refusal; after each one more it is twice as long. */
    static final Duration AGAIN_AFTER = Duration.ofSeconds(10);

    private static final Duration PER = Duration.ofMinutes(1);
    private static final int DOUBLINGS_MAX = 5;
    private static final int KEPT_MAX = 20_000;

    private final Duration after;
    private final int perNode;
    private final Map<String, Shortage> shortages = BoundedMap.ofLastUsed(KEPT_MAX);
    private final Map<String, Eviction> byOwner = BoundedMap.ofLastUsed(KEPT_MAX);
    private final Map<String, Deque<Instant>> byNode = BoundedMap.ofLastUsed(KEPT_MAX);

    private record Shortage(Instant since, Instant reported, String reason, int refusals, Instant notBefore) {
        Shortage reported(String why, Instant now) {
            return new Shortage(since, now, why, refusals, notBefore);
        }
    }

    private record Eviction(String uid, int running, Instant at) {}

    /**
     * A pod that is to be evicted.
     *
     * @param pod the pod
     * @param waited how long its node has had no room for it
     * @param reason why, in the words of the ledger or the kubelet
     */
    public record Due(ScaledPod pod, Duration waited, String reason) {
        /** The node that it leaves. */
        public String node() {
            return nodeOf(pod);
        }
    }

    /**
     * @param after how long a pod waits for room before it is evicted
     * @param perNode the most pods of a node within a minute
     */
    public EvictionChoice(Duration after, int perNode) {
        this.after = after;
        this.perNode = perNode;
    }

    /** The node of a pod had no room for its growth just now. */
    public void lacksRoom(String uid, String reason, Instant now) {
        shortages.compute(
                uid,
                (id, before) -> before == null || isOver(before, now)
                        ? new Shortage(now, now, reason, 0, Instant.MIN)
                        : before.reported(reason, now));
    }

    private static boolean isOver(Shortage shortage, Instant now) {
        return now.isAfter(shortage.reported().plus(REPORTED_WITHIN));
    }

    /** A pod has what its load asks for, or has ended. */
    public void lacksNothing(String uid) {
        shortages.remove(uid);
    }

    /** The pod that is evicted now, of all pods as last observed. */
    public Optional<Due> next(List<ScaledPod> pods, Instant now) {
        shortages.values().removeIf(shortage -> isOver(shortage, now));
        return pods.stream()
                .filter(pod -> isDue(pod, now))
                .filter(pod -> mayLeave(nodeOf(pod), now))
                .filter(pod -> pod.controller()
                        .filter(owner -> isWhole(owner, pods, now))
                        .isPresent())
                .min(Comparator.comparing(
                                (ScaledPod pod) -> shortages.get(uid(pod)).since())
                        .thenComparing(EvictionChoice::uid))
                .map(pod -> {
                    var shortage = shortages.get(uid(pod));
                    return new Due(pod, Duration.between(shortage.since(), now), shortage.reason());
                });
    }

    private boolean isDue(ScaledPod pod, Instant now) {
        var shortage = shortages.get(uid(pod));
        return shortage != null
                && pod.options().evict()
                && pod.runs()
                && !now.isBefore(shortage.since().plus(after))
                && !now.isBefore(shortage.notBefore());
    }

    private boolean mayLeave(String node, Instant now) {
        var left = byNode.get(node);
        return left == null
                || left.stream().filter(at -> now.isBefore(at.plus(PER))).count() < perNode;
    }

    /** Whether none of its pods is on its way, and that which was evicted last has been replaced. */
    private boolean isWhole(String owner, List<ScaledPod> pods, Instant now) {
        var own = pods.stream()
                .filter(pod -> pod.controller().filter(owner::equals).isPresent())
                .toList();
        if (own.stream().anyMatch(pod -> pod.isDeleted() || phase(pod).equals("Pending"))) {
            return false;
        }
        var last = byOwner.get(owner);
        return last == null
                || !now.isBefore(last.at().plus(REPLACED_WITHIN))
                || running(own) >= last.running() && own.stream().noneMatch(pod -> uid(pod).equals(last.uid()));
    }

    private static int running(List<ScaledPod> pods) {
        return (int) pods.stream().filter(ScaledPod::runs).count();
    }

    /** The API server has accepted its eviction. */
    public void evicted(Due due, List<ScaledPod> pods, Instant now) {
        shortages.remove(uid(due.pod()));
        var left = byNode.computeIfAbsent(due.node(), node -> new ArrayDeque<>());
        left.addLast(now);
        while (left.size() > perNode) {
            left.removeFirst();
        }
        due.pod().controller().ifPresent(owner -> {
            var own = pods.stream()
                    .filter(pod -> pod.controller().filter(owner::equals).isPresent())
                    .toList();
            byOwner.put(owner, new Eviction(uid(due.pod()), running(own), now));
        });
    }

    /** Its eviction was refused. Returns how long it stays at least. */
    public Duration refused(Due due, Instant now) {
        var before = shortages.get(uid(due.pod()));
        int refusals = before == null ? 0 : before.refusals();
        var wait = AGAIN_AFTER.multipliedBy(1L << Math.min(refusals, DOUBLINGS_MAX));
        if (before != null) {
            shortages.put(
                    uid(due.pod()),
                    new Shortage(before.since(), before.reported(), before.reason(), refusals + 1, now.plus(wait)));
        }
        return wait;
    }

    private static String uid(ScaledPod pod) {
        return pod.id().uid();
    }

    private static String phase(ScaledPod pod) {
        return pod.json().path("status").path("phase").asText();
    }

    private static String nodeOf(ScaledPod pod) {
        return pod.json().path("spec").path("nodeName").asText();
    }
}
