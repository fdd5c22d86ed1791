package io.sluice.gateway.core;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Limits how often each pod may send requests; a pod that sent none for a while may send a burst. */
public final class RateLimiter {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long nanosEach;
    private final long nanosSavedMax;
    private final Map<String, Instant> spentUntil = new HashMap<>();

    /**
     * Creates a limiter.
     *
     * @param perSecond how often a pod may send requests in the long run
     * @param burst how many requests it may send at once
     */
    public RateLimiter(int perSecond, int burst) {
        nanosEach = NANOS_PER_SECOND / perSecond;
        nanosSavedMax = Math.multiplyExact(nanosEach, burst - 1L);
    }

    /** Takes one request if the pod may send it, and returns empty; otherwise returns how long it has to wait. */
    public Optional<Duration> pass(String pod, Instant now) {
        var wait = waiting(pod, now);
        if (wait.isEmpty()) {
            spentUntil.put(pod, spent(pod, now).plusNanos(nanosEach));
        }
        return wait;
    }

    /** Returns the same without taking a request. */
    public Optional<Duration> waiting(String pod, Instant now) {
        var from = spent(pod, now);
        return from.isAfter(now) ? Optional.of(Duration.between(now, from)) : Optional.empty();
    }

    private Instant spent(String pod, Instant now) {
        var earliest = now.minusNanos(nanosSavedMax);
        var from = spentUntil.getOrDefault(pod, earliest);
        return from.isBefore(earliest) ? earliest : from;
    }

    /** Removes the state of a pod that is gone. */
    public void forget(String pod) {
        spentUntil.remove(pod);
    }

    /** Removes every pod that may send its whole burst; this changes no result. */
    public void tidy(Instant now) {
        var earliest = now.minusNanos(nanosSavedMax);
        spentUntil.values().removeIf(until -> !until.isAfter(earliest));
    }
}
