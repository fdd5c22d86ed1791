package io.sluice.workers.core;

import java.time.Duration;

/**
 * Until when exclusive instances may run on this worker. It counts from when the heartbeat was <em>sent</em> that the
 * scheduler acknowledged last, on a clock that goes on while the machine is suspended: an acknowledgement that was long
 * under way extends nothing.
 *
 * @param until by that clock, since its start
 */
public record FenceLease(Duration until) {
    /** Nothing may run. */
    public static final FenceLease NONE = new FenceLease(Duration.ZERO);

    /** The lease after an acknowledgement of the heartbeat that was sent then. */
    public FenceLease acknowledged(Duration sentAt, Duration fence) {
        var next = sentAt.plus(fence);
        return next.compareTo(until) > 0 ? new FenceLease(next) : this;
    }

    /** Whether it has run out. */
    public boolean isOver(Duration now) {
        return now.compareTo(until) >= 0;
    }
}
