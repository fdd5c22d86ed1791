package io.sluice.gateway.core;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Lets each member ask so often and no more; one that was quiet has saved up a burst. */
public final class RateLimiter {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long nanosEach;
    private final long nanosSavedMax;
    private final Map<String, Instant> spentUntil = new HashMap<>();

    /**
     * A gate.
     *
     * @param perSecond how often a member may ask in the long run
     * @param burst how often it may ask at once
     */
    public RateLimiter(int perSecond, int burst) {
        nanosEach = NANOS_PER_SECOND / perSecond;
        nanosSavedMax = Math.multiplyExact(nanosEach, burst - 1L);
    }

    /** Empty if the member may ask now, which it then has; otherwise how long it has to wait. */
    public Optional<Duration> pass(String member, Instant now) {
        var wait = waiting(member, now);
        if (wait.isEmpty()) {
            spentUntil.put(member, spent(member, now).plusNanos(nanosEach));
        }
        return wait;
    }

    /** The same, where it has not asked yet. */
    public Optional<Duration> waiting(String member, Instant now) {
        var from = spent(member, now);
        return from.isAfter(now) ? Optional.of(Duration.between(now, from)) : Optional.empty();
    }

    private Instant spent(String member, Instant now) {
        var earliest = now.minusNanos(nanosSavedMax);
        var from = spentUntil.getOrDefault(member, earliest);
        return from.isBefore(earliest) ? earliest : from;
    }

    /** Forgets a member that is gone. */
    public void forget(String member) {
        spentUntil.remove(member);
    }

    /** Forgets every member that has saved up its whole burst, which changes nothing for it. */
    public void tidy(Instant now) {
        var earliest = now.minusNanos(nanosSavedMax);
        spentUntil.values().removeIf(until -> !until.isAfter(earliest));
    }
}
