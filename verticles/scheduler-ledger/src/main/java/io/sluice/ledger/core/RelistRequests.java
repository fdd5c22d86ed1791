package io.sluice.ledger.core;

import java.util.Optional;

/**
 * When a full list is asked for because observations are missing: some could not be kept, such as while the books
 * change hands, a VM was observed in a pod that was not, or somebody asks about a node whose books are not there, such
 * as after they were lost with the processes that kept them. Nobody waits for an answer to an observation, so this is
 * how they come back: at most every five seconds, and ever more seldom while it does not help.
 */
public final class RelistRequests {
    private static final int TICKS_MIN = 5;

    /** What is missing is asked for within one tick more than this. */
    public static final int TICKS_MAX = 60;

    private long count;
    private String last = "";
    private int gap = TICKS_MIN;
    private int ticksLeft;

    /**
     * A full list is to be asked for.
     *
     * @param count how much was found missing since the last time
     * @param last the last of that, in words
     */
    public record Pending(long count, String last) {}

    /** Something is missing, for that reason. */
    public void missing(String why) {
        count++;
        last = why;
    }

    /** Called once a second: whether a full list is to be asked for now. */
    public Optional<Pending> tick() {
        if (ticksLeft > 0) {
            ticksLeft--;
            return Optional.empty();
        }
        if (count == 0) {
            gap = TICKS_MIN;
            return Optional.empty();
        }
        var wanted = new Pending(count, last);
        ticksLeft = gap;
        gap = Math.min(2 * gap, TICKS_MAX);
        count = 0;
        return Optional.of(wanted);
    }
}
