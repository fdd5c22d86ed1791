package io.sluice.simulation.engine;

import java.time.Instant;

/**
 * The clock of one process: it starts at the wall-clock time, right, seconds off or an hour off, and is monotonic from
 * then on. Only a new process starts at another time.
 */
public final class Clock {
    private static final long OFF = Seconds.of(10);
    private static final long JUMP = Seconds.of(3_600);

    private final Timeline time;
    private final Faults faults;
    private final Chance chance;
    private long offset;

    public Clock(Timeline time, Faults faults, String part) {
        this.time = time;
        this.faults = faults;
        this.chance = faults.chance("clock of " + part);
        reset();
    }

    /** Reads the wall clock anew, as a new process does. */
    public void reset() {
        offset = 0;
        long draw = chance.next();
        if (Math.floorMod(draw, 3) == 0 && faults.happens(chance, chance.drawn(), "off by seconds")) {
            offset = Math.floorMod(draw >>> 8, 2 * OFF) - OFF;
        } else if (Math.floorMod(draw, 7) == 1 && faults.happens(chance, chance.drawn(), "an hour off")) {
            offset = (draw & 8) == 0 ? JUMP : -JUMP;
        }
    }

    public Instant now() {
        return Seconds.instant(time.now() + offset);
    }

    /** In how many nanoseconds this clock shows that time. */
    public long until(Instant when) {
        return Seconds.nanos(when) - offset - time.now();
    }
}
