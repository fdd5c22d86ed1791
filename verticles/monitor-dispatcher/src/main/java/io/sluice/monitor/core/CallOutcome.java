package io.sluice.monitor.core;

/** How a call to a monitor ended. */
public enum CallOutcome {
    /** As hoped. */
    OK,
    /** It refused to shrink. */
    VETOED,
    /** It answered with an error, or with something else. */
    FAILED,
    /** It did not answer in time. */
    TIMED_OUT,
    /** The session ended first. */
    LOST
}
