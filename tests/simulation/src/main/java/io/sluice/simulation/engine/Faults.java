package io.sluice.simulation.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Every fault of a history. Each has a name of its own, by which the history can be played again without it; after
 * {@link #cease} there are no more.
 */
public final class Faults {
    private final long seed;
    private final Optional<Set<String>> only;
    private final boolean recording;
    private final List<String> done = new ArrayList<>();
    private boolean ceased;
    private long count;
    private int lossInThousand;
    private int twiceInThousand;
    private int slowInThousand;

    /**
     * Of one history.
     *
     * @param only the names of those that may happen; empty where all may
     * @param recording whether the names of those that happen are kept
     */
    public Faults(long seed, Optional<Set<String>> only, boolean recording) {
        this.seed = seed;
        this.only = only.map(Set::copyOf);
        this.recording = recording;
    }

    /** How often of a thousand times messages are lost, heard twice, and slow. */
    public void intensity(int loss, int twice, int slow) {
        lossInThousand = loss;
        twiceInThousand = twice;
        slowInThousand = slow;
    }

    /** The chance of a place. */
    public Chance chance(String place) {
        return new Chance(seed, place);
    }

    /** The way of messages between two places; a slow one takes up to that long. */
    public Link link(String place, long slowest) {
        return new Link(this, seed, place, slowest);
    }

    /** No more from now on. */
    public void cease() {
        ceased = true;
    }

    /** Whether there are no more. */
    public boolean ceased() {
        return ceased;
    }

    /** Does a fault, unless it is one that may not happen, or there are no more. */
    public boolean happens(Chance place, long number, String what) {
        if (ceased) {
            return false;
        }
        if (recording || only.isPresent()) {
            var name = place.name() + " #" + number + " " + what;
            if (only.isPresent() && !only.get().contains(name)) {
                return false;
            }
            if (recording) {
                done.add(name);
            }
        }
        count++;
        return true;
    }

    /** How many were done. */
    public long count() {
        return count;
    }

    /** The names of those that were done, in order, where they are recorded. */
    public List<String> done() {
        return List.copyOf(done);
    }

    boolean lost(long draw) {
        return draw < lossInThousand;
    }

    boolean twice(long draw) {
        return draw < twiceInThousand;
    }

    boolean slow(long draw) {
        return draw < slowInThousand;
    }
}
