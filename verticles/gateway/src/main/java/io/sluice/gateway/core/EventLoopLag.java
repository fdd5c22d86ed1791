package io.sluice.gateway.core;

import java.time.Duration;
import java.time.Instant;

/**
 * Measures by the delay of a ticker how late the event loop runs its tasks. After a delay it counts as late for as long
 * again, a second at most. Requests that came during the delay are read in that time, and their clients may have given
 * them up and sent others elsewhere.
 */
public final class EventLoopLag {
    private static final Duration AGAIN_MAX = Duration.ofSeconds(1);

    private final Duration pace;
    private final Duration most;
    private Instant due;
    private Instant lateUntil;

    /** @param most how late a tick of that pace may be */
    public EventLoopLag(Duration pace, Duration most, Instant now) {
        this.pace = pace;
        this.most = most;
        due = now.plus(pace);
        lateUntil = now;
    }

    /** Takes a tick. */
    public void ticked(Instant now) {
        var late = Duration.between(due, now);
        if (late.compareTo(most) > 0) {
            lateUntil = now.plus(late.compareTo(AGAIN_MAX) < 0 ? late : AGAIN_MAX);
        }
        due = now.plus(pace);
    }

    /** Returns whether new requests should be refused; a tick that is late by now counts before it comes. */
    public boolean isTooLate(Instant now) {
        return now.isBefore(lateUntil) || Duration.between(due, now).compareTo(most) > 0;
    }
}
