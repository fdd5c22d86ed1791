package io.sluice.gateway.core;

import java.util.HashMap;
import java.util.Map;

/**
 * How many requests each peer has in flight. Under a bound for all of them, a part is kept for newcomers: once the rest
 * is taken, whoever has more than its share of it is turned away, so that one peer alone never fills the door.
 */
public final class ConcurrencyLimiter {
    private static final int NEWCOMERS_PART = 8;

    private final int max;
    private final int shared;
    private final Map<String, Integer> inFlight = new HashMap<>();
    private int total;

    /** Whether one more may come in. */
    public enum Entry {
        /** It may, and is counted until it has left. */
        ADMITTED,
        /** Its peer has its share. */
        GREEDY,
        /** Nobody may. */
        FULL
    }

    /** A crowd of so many at most. */
    public ConcurrencyLimiter(int max) {
        this.max = max;
        shared = max - max / NEWCOMERS_PART;
    }

    /** Takes one more of the peer's, if it may come in. */
    public Entry enter(String peer) {
        if (total >= max) {
            return Entry.FULL;
        }
        int mine = inFlight.getOrDefault(peer, 0);
        int peers = inFlight.size() + (mine == 0 ? 1 : 0);
        if (total >= shared && mine >= Math.max(1, shared / peers)) {
            return shared == max ? Entry.FULL : Entry.GREEDY;
        }
        inFlight.put(peer, mine + 1);
        total++;
        return Entry.ADMITTED;
    }

    /** One that was admitted is over. */
    public void left(String peer) {
        inFlight.computeIfPresent(peer, (same, count) -> count == 1 ? null : count - 1);
        total--;
    }

    /** How many are in flight. */
    public int total() {
        return total;
    }
}
