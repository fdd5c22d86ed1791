package io.sluice.simulation.engine;

import java.util.PriorityQueue;

/**
 * A queue of events by time; time moves only from one event to the next. Events that are due at the same time run in
 * the order in which they were added.
 */
public final class Timeline {
    private static final long NANOS = 1_000_000_000L;

    private final PriorityQueue<Timer> queue = new PriorityQueue<>(256);
    private long now;
    private long order;
    private long events;

    /** A scheduled event, which can be cancelled. */
    public static final class Timer implements Comparable<Timer> {
        private final long at;
        private final long order;
        private Runnable what;

        private Timer(long at, long order, Runnable what) {
            this.at = at;
            this.order = order;
            this.what = what;
        }

        /** The time at which it is due. */
        public long at() {
            return at;
        }

        /** Cancels it; it then does not count as an event. */
        public void cancel() {
            what = null;
        }

        @Override
        public int compareTo(Timer other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    /** Nanoseconds since the start. */
    public long now() {
        return now;
    }

    /** The number of events so far. */
    public long events() {
        return events;
    }

    /** The seconds since the start, as text. */
    public String clock() {
        return String.format("%9.4f", (double) now / NANOS);
    }

    /** Schedules an event that many nanoseconds from now. */
    public Timer in(long nanos, Runnable what) {
        var timer = new Timer(now + Math.max(0, nanos), order++, what);
        queue.add(timer);
        return timer;
    }

    /** Runs the next event, unless it is due after {@code end}; then time moves to {@code end}. */
    public boolean step(long end) {
        while (true) {
            var next = queue.peek();
            if (next == null || next.at > end) {
                now = end;
                return false;
            }
            queue.remove();
            if (next.what != null) {
                now = next.at;
                events++;
                next.what.run();
                return true;
            }
        }
    }
}
