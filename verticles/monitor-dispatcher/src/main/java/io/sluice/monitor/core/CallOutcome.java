package io.sluice.monitor.core;

/** How a request to a monitor ended. */
public enum CallOutcome {
    /** It succeeded. */
    OK,
    /** The monitor denied the downscale. */
    DENIED,
    /** The monitor answered with an error, or with another message than expected. */
    FAILED,
    /** The monitor did not answer in time. */
    TIMED_OUT,
    /** The session ended first. */
    LOST
}
