package io.sluice.gateway.core;

import java.time.Duration;
import java.time.Instant;

/**
 * Tells by a ticker that comes late how long the event loop makes everybody wait. What was late counts until the next
 * tick, by which time the queue behind it has been worked off, or has not.
 */
public final class EventLoopLag {
    private final Duration pace;
    private final Duration most;
    private Instant due;
    private boolean tooLate;

    /** @param most how late a tick of that pace may be */
    public EventLoopLag(Duration pace, Duration most, Instant now) {
        this.pace = pace;
        this.most = most;
        due = now.plus(pace);
    }

    /** The ticker came. */
    public void ticked(Instant now) {
        tooLate = Duration.between(due, now).compareTo(most) > 0;
        due = now.plus(pace);
    }

    /** Whether whoever comes in now had better come back later. */
    public boolean isTooLate() {
        return tooLate;
    }
}
