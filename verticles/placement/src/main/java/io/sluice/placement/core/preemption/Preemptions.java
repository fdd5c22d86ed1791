package io.sluice.placement.core.preemption;

import io.sluice.placement.core.spec.PodSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What came of the attempts to make room for pods. One attempt is under way at a time. An attempt without success makes
 * the next one of that pod wait, each time for longer; so does one whose victims are still being deleted.
 */
public final class Preemptions {
    /** After evictions, room takes at least that long to be observed. */
    static final Duration AFTER_EVICTIONS = Duration.ofSeconds(2);

    private static final Duration FIRST = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofSeconds(60);
    private static final int DOUBLINGS_MAX = 5;

    private final int most;
    private final Map<String, Attempts> pods = new HashMap<>();
    private Optional<String> underWay = Optional.empty();

    /** @param most the largest number of pods that are remembered */
    public Preemptions(int most) {
        this.most = most;
    }

    /**
     * The attempts for one pod.
     *
     * @param failed how many in a row had no success
     * @param victims the uids of the pods that were evicted for it, on one node
     * @param explanation what people should know of it; empty if nothing
     */
    private record Attempts(int failed, Instant notBefore, Set<String> victims, String explanation) {
        static final Attempts NONE = new Attempts(0, Instant.MIN, Set.of(), "");
    }

    /** Whether an attempt may begin; it has then begun, until it has an end. */
    public boolean begin(String uid, Instant now) {
        if (underWay.isPresent() || now.isBefore(of(uid).notBefore) || !pods.containsKey(uid) && pods.size() >= most) {
            return false;
        }
        underWay = Optional.of(uid);
        return true;
    }

    /** The attempt was not needed: a node can take the pod, or it does not wait any more. */
    public void notNeeded(String uid) {
        end(uid);
    }

    /** The attempt had no success. */
    public void failed(String uid, String explanation, Instant now) {
        failed(uid, of(uid).victims, explanation, now);
    }

    /** Some pods are being deleted for it, and not enough. */
    public void partly(String uid, List<PodSpec> evicted, String explanation, Instant now) {
        failed(uid, uids(evicted), explanation, now);
    }

    private void failed(String uid, Set<String> victims, String explanation, Instant now) {
        end(uid).ifPresent(before -> {
            var wait = FIRST.multipliedBy(1L << Math.min(before.failed, DOUBLINGS_MAX));
            put(uid, before.failed + 1, now.plus(wait.compareTo(LONGEST) < 0 ? wait : LONGEST), victims, explanation);
        });
    }

    /**
     * Pods are being deleted for it.
     *
     * @param explanation what people should know of it
     */
    public void evicted(String uid, List<PodSpec> victims, String explanation, Instant now) {
        end(uid).ifPresent(before -> put(uid, 0, now.plus(AFTER_EVICTIONS), uids(victims), explanation));
    }

    private static Set<String> uids(List<PodSpec> pods) {
        return pods.stream().map(PodSpec::uid).collect(Collectors.toSet());
    }

    /** The victims of before are still there, so nothing else is evicted. */
    public void waits(String uid, Instant now) {
        end(uid).ifPresent(before -> put(uid, 0, now.plus(AFTER_EVICTIONS), before.victims, before.explanation));
    }

    /** Ends the attempt; empty if the pod was forgotten meanwhile. */
    private Optional<Attempts> end(String uid) {
        var same = underWay.filter(uid::equals);
        if (same.isPresent()) {
            underWay = Optional.empty();
        }
        return same.map(this::of);
    }

    private void put(String uid, int failed, Instant notBefore, Set<String> victims, String explanation) {
        pods.put(uid, new Attempts(failed, notBefore, victims, explanation));
    }

    private Attempts of(String uid) {
        return pods.getOrDefault(uid, Attempts.NONE);
    }

    /** Whether some of the pods that were evicted for it are among those. */
    public boolean awaits(String uid, Set<String> reserved) {
        var victims = new HashSet<>(of(uid).victims);
        victims.retainAll(reserved);
        return !victims.isEmpty();
    }

    /** What people should know of the last attempt; empty if nothing. */
    public String explanation(String uid) {
        return of(uid).explanation;
    }

    /** The pod is placed or has ended. */
    public void forget(String uid) {
        pods.remove(uid);
        underWay = underWay.filter(pod -> !pod.equals(uid));
    }
}
