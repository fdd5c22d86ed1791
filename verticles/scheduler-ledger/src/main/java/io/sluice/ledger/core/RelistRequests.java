package io.sluice.ledger.core;

import java.util.Optional;

/**
 * Decides when to request a full list because observations are missing. That is so if some could not be stored, such as
 * while a node ledger changes its owner; if a VM was observed in a pod that was not; or if a request names a node whose
 * ledger state is absent or incomplete, such as after a loss. No sender repeats an observation, so a full list restores
 * them. It is requested at most every five seconds, with growing gaps while that does not help. Once the processes that
 * work together have changed, the gaps start anew, as an earlier request may have reached no process that has a list.
 */
public final class RelistRequests {
    private static final int TICKS_MIN = 5;

    /** The longest gap: a full list is requested within one tick more than this. */
    public static final int TICKS_MAX = 60;

    private long count;
    private String last = "";
    private int gap = TICKS_MIN;
    private int ticksLeft;

    /**
     * A full list is to be requested.
     *
     * @param count the number of missing observations since the last request
     * @param last the last reason, as text
     */
    public record Pending(long count, String last) {}

    /** Records that something is missing, with the reason. */
    public void missing(String why) {
        count++;
        last = why;
    }

    /** The processes have changed: what is missing is requested at the next tick. */
    public void processesChanged() {
        gap = TICKS_MIN;
        ticksLeft = 0;
    }

    /** Called once a second. Returns a value if a full list is to be requested now. */
    public Optional<Pending> tick() {
        if (ticksLeft > 0) {
            ticksLeft--;
            return Optional.empty();
        }
        if (count == 0) {
            gap = TICKS_MIN;
            return Optional.empty();
        }
        var pending = new Pending(count, last);
        ticksLeft = gap;
        gap = Math.min(2 * gap, TICKS_MAX);
        count = 0;
        return Optional.of(pending);
    }
}
