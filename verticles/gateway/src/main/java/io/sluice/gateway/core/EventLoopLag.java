package io.sluice.gateway.core;

import java.time.Duration;
import java.time.Instant;

/**
 * Measures by the delay of a ticker how late the event loop runs its tasks. A late tick counts until the next one, by
 * which time the queue behind it is processed, or is not.
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

    /** Takes a tick. */
    public void ticked(Instant now) {
        tooLate = Duration.between(due, now).compareTo(most) > 0;
        due = now.plus(pace);
    }

    /** Returns whether new requests should be refused. */
    public boolean isTooLate() {
        return tooLate;
    }
}
