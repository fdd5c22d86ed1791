package io.sluice.pods.core;

import io.sluice.shell.BoundedMap;
import io.sluice.shell.KubernetesEvent;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/** The Events of pods: a reason and its words again only after a while. */
public final class PodEvents {
    /** Why a pod does not have the size that it should have. */
    public enum Reason {
        /** The kubelet had no room while the permit was valid. */
        DEFERRED("ResizeDeferred"),
        /** The kubelet refuses the size. */
        INFEASIBLE("ResizeInfeasible"),
        /** The API server refuses the size, as a quota does. */
        REFUSED("ResizeRefused"),
        /** The container was killed for want of memory. */
        KILLED("MemoryKept"),
        /** It is evicted, so that it is made anew where there is room. */
        EVICTED("EvictedForRoom"),
        /** It should be evicted, and something does not allow it now. */
        NOT_EVICTED("EvictionRefused"),
        /** Its control groups have other limits than its status. */
        LIMITS_DIFFER("LimitsDiffer");

        private final String word;

        Reason(String word) {
            this.word = word;
        }
    }

    private static final Duration AGAIN = Duration.ofMinutes(1);
    private static final int KEPT_MAX = 10_000;
    private static final int WORDS_MAX = 900;
    private static final String COMPONENT = "sluice";

    private final Map<String, Instant> written = BoundedMap.ofLastUsed(KEPT_MAX);
    private long number;

    /** The Event to create; empty if one like it was written a short time ago. */
    public Optional<String> event(VmId pod, Reason reason, String words, Instant now) {
        var key = pod.uid() + reason;
        var before = written.get(key);
        if (before != null && now.isBefore(before.plus(AGAIN))) {
            return Optional.empty();
        }
        written.put(key, now);
        number++;
        return Optional.of(new KubernetesEvent(
                        pod.name() + "." + Long.toHexString(now.toEpochMilli()) + Long.toHexString(number),
                        KubernetesEvent.About.pod(pod.namespace(), pod.name(), pod.uid()),
                        reason.word,
                        true,
                        words.substring(0, Math.min(words.length(), WORDS_MAX)),
                        COMPONENT,
                        KubernetesEvent.Occurrences.once(now))
                .json());
    }
}
