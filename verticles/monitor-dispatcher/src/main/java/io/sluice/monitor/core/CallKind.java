package io.sluice.monitor.core;

/** The kind of a request to a monitor. */
public enum CallKind {
    /** Notifies of a larger size. */
    UPSCALE,
    /** Requests a smaller size. */
    DOWNSCALE,
    /** Checks that it answers. */
    HEALTH_CHECK
}
