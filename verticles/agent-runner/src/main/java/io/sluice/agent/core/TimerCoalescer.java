package io.sluice.agent.core;

import java.time.Duration;
import java.time.Instant;

/**
 * Makes the timers of many VMs fire together. The main cost of a timer is the wake-up of the event loop; with the
 * timers the replies to their requests arrive together, too.
 */
public final class TimerCoalescer {
    private static final int PART_OF_THE_WAIT = 64;
    private static final long LONGEST_MILLIS = 16;

    private TimerCoalescer() {}

    /**
     * The time to wake for something that is due at {@code due}: no sooner, and later by less than a 64th of the wait,
     * at most 16 ms. The returned instants are whole multiples, since the epoch, of a power of two of milliseconds.
     */
    public static Instant together(Instant due, Instant now) {
        long slack = Duration.between(now, due).toMillis() / PART_OF_THE_WAIT;
        long grid = Long.highestOneBit(Math.min(slack, LONGEST_MILLIS));
        if (grid <= 1) {
            return due;
        }
        long millis = due.toEpochMilli();
        boolean whole = due.getNano() % 1_000_000 == 0;
        long next = Math.ceilDiv(whole ? millis : millis + 1, grid) * grid;
        return Instant.ofEpochMilli(next);
    }
}
