package io.sluice.agent.core;

import java.time.Duration;
import java.time.Instant;

/**
 * Lets the timers of many VMs go off together. What an event loop pays for a timer is above all that it wakes up, and
 * with the timers the answers to what they ask come together, too.
 */
public final class TimerCoalescer {
    private static final int PART_OF_THE_WAIT = 64;
    private static final long LONGEST_MILLIS = 16;

    private TimerCoalescer() {}

    /**
     * When to wake for something that is due then: no sooner, and later by less than a 64th of the wait, at most 16 ms.
     * The instants answered are whole multiples, since the epoch, of a power of two of milliseconds.
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
