package io.sluice.simulation.engine;

import java.util.PriorityQueue;

/** A queue of what happens when; time moves only from one event to the next. What is due at once happens in turn. */
public final class Timeline {
    private static final long NANOS = 1_000_000_000L;

    private final PriorityQueue<Timer> queue = new PriorityQueue<>(256);
    private long now;
    private long order;
    private long events;

    /** Something that is to happen, unless it is called off before. */
    public static final class Timer implements Comparable<Timer> {
        private final long at;
        private final long order;
        private Runnable what;

        private Timer(long at, long order, Runnable what) {
            this.at = at;
            this.order = order;
            this.what = what;
        }

        /** When it is due. */
        public long at() {
            return at;
        }

        /** It is not to happen any more; it then counts as no event. */
        public void cancel() {
            what = null;
        }

        @Override
        public int compareTo(Timer other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }

    /** Nanoseconds since the beginning. */
    public long now() {
        return now;
    }

    /** How many events there were. */
    public long events() {
        return events;
    }

    /** The seconds since the beginning, for people. */
    public String clock() {
        return String.format("%9.4f", (double) now / NANOS);
    }

    /** Has that happen so many nanoseconds from now. */
    public Timer in(long nanos, Runnable what) {
        var timer = new Timer(now + Math.max(0, nanos), order++, what);
        queue.add(timer);
        return timer;
    }

    /** Lets the next event happen, unless it is due after {@code end}, to which time then goes. */
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
