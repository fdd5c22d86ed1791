package io.sluice.gateway.core;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts the requests under way of each client. Below a limit for all of them, a part is reserved for new clients: once
 * the rest is taken, a client with more than its share of it is refused, so one client alone never takes all places.
 */
public final class ConcurrencyLimiter {
    private static final int NEWCOMERS_PART = 8;

    private final int max;
    private final int shared;
    private final Map<String, Integer> inFlight = new HashMap<>();
    private int total;

    /** Whether one more request is admitted. */
    public enum Entry {
        /** It is, and it is counted until it has left. */
        ADMITTED,
        /** It is not: its client has its share. */
        GREEDY,
        /** It is not: all places are taken. */
        FULL
    }

    /** Creates a limiter for so many requests at most. */
    public ConcurrencyLimiter(int max) {
        this.max = max;
        shared = max - max / NEWCOMERS_PART;
    }

    /** Admits one more request of the client, if there is a place for it. */
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

    /** Ends an admitted request. */
    public void left(String peer) {
        inFlight.computeIfPresent(peer, (same, count) -> count == 1 ? null : count - 1);
        total--;
    }

    /** Returns how many requests are under way. */
    public int total() {
        return total;
    }
}
