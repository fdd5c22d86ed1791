package io.sluice.vectors.monitor;

import java.util.List;

/**
 * The course of one connection as the consumer of the monitor session observes it.
 *
 * @param connected whether it ever counted as connected
 * @param upscaleRequested whether an upscale request was passed on
 * @param outcomes one for each requested resize, in order
 * @param end how it ended, and what was done then
 */
record Course(boolean connected, boolean upscaleRequested, List<String> outcomes, String end) {
    static final String BY_US = "closed by us";
    static final String ENDED = "ended by the monitor, dialled again";
    static final String VERSION_REFUSED = "version refused, dialled again";

    static final String YES = "yes";
    static final String NO = "no";
    /** An error, or a reply that came too late. */
    static final String FAILED = "failed";
    /** Another resize was under way. */
    static final String BUSY = "busy";
    /** The monitor session ended first. */
    static final String LOST = "lost";

    Course {
        outcomes = List.copyOf(outcomes);
    }

    static String refused(int status) {
        return "refused with " + status + ", dialled again";
    }

    @Override
    public String toString() {
        return (connected ? "connected" : "never connected") + (upscaleRequested ? ", cried" : "")
                + (outcomes.isEmpty() ? "" : ", " + String.join(" ", outcomes)) + ", " + end;
    }
}
