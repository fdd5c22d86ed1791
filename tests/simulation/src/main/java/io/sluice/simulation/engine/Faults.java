package io.sluice.simulation.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * All faults of a history. Each has a name, so that the history can be played again without it. After {@link #cease} no
 * more happen.
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
     * The faults of one history.
     *
     * @param only the names of the faults that may happen; empty if all may
     * @param recording whether the names of the faults that happen are recorded
     */
    public Faults(long seed, Optional<Set<String>> only, boolean recording) {
        this.seed = seed;
        this.only = only.map(Set::copyOf);
        this.recording = recording;
    }

    /** Sets how often messages are lost, arrive twice, and are slow, in thousandths. */
    public void intensity(int loss, int twice, int slow) {
        lossInThousand = loss;
        twiceInThousand = twice;
        slowInThousand = slow;
    }

    /** The random numbers of a place. */
    public Chance chance(String place) {
        return new Chance(seed, place);
    }

    /** A link for messages between two places; a slow message takes up to that long. */
    public Link link(String place, long slowest) {
        return new Link(this, seed, place, slowest);
    }

    /** Ends all faults. */
    public void cease() {
        ceased = true;
    }

    /** Whether all faults have ended. */
    public boolean ceased() {
        return ceased;
    }

    /** Counts a fault and returns true, unless it may not happen or all faults have ended. */
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

    /** The number of faults so far. */
    public long count() {
        return count;
    }

    /** The names of the faults so far, in order, if they are recorded. */
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
