package io.sluice.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A queue of what happens when; time moves only from one event to the next. */
final class VirtualTime {
    private record Due(Instant at, long order, Runnable what) {}

    private final PriorityQueue<Due> queue =
            new PriorityQueue<>(Comparator.comparing(Due::at).thenComparingLong(Due::order));
    private Instant now = Instant.EPOCH;
    private long order;

    Instant now() {
        return now;
    }

    void in(Duration delay, Runnable what) {
        queue.add(new Due(now.plus(delay), order++, what));
    }

    /** Lets the next event happen, unless it is due after {@code end}. */
    boolean step(Instant end) {
        var next = queue.peek();
        if (next == null || next.at().isAfter(end)) {
            return false;
        }
        queue.remove();
        now = next.at();
        next.what().run();
        return true;
    }
}
