package io.sluice.agent.core.pace;

import java.time.Duration;
import java.time.Instant;

/** When a periodic action is due: on a fixed grid, so that a slow round does not delay those after it. */
public final class FixedGrid {
    private final Duration period;
    private Instant next;

    public FixedGrid(Instant first, Duration period) {
        this.next = first;
        this.period = period;
    }

    public boolean due(Instant now) {
        return !now.isBefore(next);
    }

    public Instant next() {
        return next;
    }

    /** Makes it due now; the grid begins anew from then on. */
    public void hasten(Instant now) {
        next = now.isBefore(next) ? now : next;
    }

    public void begun(Instant now) {
        long periodNanos = period.toNanos();
        long lateNanos = Duration.between(next, now).toNanos();
        next = next.plusNanos((lateNanos / periodNanos + 1) * periodNanos);
    }
}
