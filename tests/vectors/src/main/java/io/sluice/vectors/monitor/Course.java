package io.sluice.vectors.monitor;

import java.util.List;

/**
 * How one connection went, for those who wanted the session.
 *
 * @param connected whether it ever counted as such
 * @param cried whether a cry for memory came through
 * @param outcomes one for each resize asked for, in order
 * @param end how it ended, and what was done about it
 */
record Course(boolean connected, boolean cried, List<String> outcomes, String end) {
    static final String BY_US = "closed by us";
    static final String ENDED = "ended by the monitor, dialled again";
    static final String VERSION_REFUSED = "version refused, dialled again";

    static final String YES = "yes";
    static final String NO = "no";
    /** An error, or an answer that came too late. */
    static final String FAILED = "failed";
    /** Another one was under way. */
    static final String BUSY = "busy";
    /** The session ended first. */
    static final String LOST = "lost";

    Course {
        outcomes = List.copyOf(outcomes);
    }

    static String refused(int status) {
        return "refused with " + status + ", dialled again";
    }

    @Override
    public String toString() {
        return (connected ? "connected" : "never connected") + (cried ? ", cried" : "")
                + (outcomes.isEmpty() ? "" : ", " + String.join(" ", outcomes)) + ", " + end;
    }
}
