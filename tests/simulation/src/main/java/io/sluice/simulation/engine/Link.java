package io.sluice.simulation.engine;

/**
 * A link for messages from one place to another. Each message may be lost, arrive twice, arrive late, or be overtaken.
 */
public final class Link extends Chance {
    private static final long QUICK = Seconds.ofMillis(40);
    private static final int TEN_BITS = 1023;

    private final Faults faults;
    private final long slowest;
    private boolean lost;
    private long first;
    private long second;
    private boolean ordered;
    private long due;

    Link(Faults faults, long seed, String name, long slowest) {
        super(seed, name);
        this.faults = faults;
        this.slowest = slowest;
    }

    /** Draws what happens to the next message. */
    public void draw() {
        long bits = next();
        long number = drawn();
        boolean slow = faults.slow((bits >>> 20) & TEN_BITS) && faults.happens(this, number, "late");
        lost = faults.lost(bits & TEN_BITS) && faults.happens(this, number, "lost");
        boolean twice = !lost && faults.twice((bits >>> 10) & TEN_BITS) && faults.happens(this, number, "twice");
        first = 1 + Math.floorMod(mix(bits), slow ? slowest : QUICK);
        second = twice ? 1 + Math.floorMod(mix(bits + 1), slowest) : -1;
    }

    /** Whether it is lost. */
    public boolean lost() {
        return lost;
    }

    /** Makes a late message delay those that follow it, as on one connection. */
    public Link inOrder() {
        ordered = true;
        return this;
    }

    /** The delay of its first arrival, in nanoseconds from now. */
    public long first(long now) {
        if (ordered) {
            due = Math.max(due, now + first);
            return due - now;
        }
        return first;
    }

    /** Whether it arrives a second time. */
    public boolean twice() {
        return second >= 0;
    }

    /** The delay of its second arrival, in nanoseconds from now; never less than that of the first. */
    public long second(long now) {
        return (ordered ? due - now : first) + second;
    }
}
