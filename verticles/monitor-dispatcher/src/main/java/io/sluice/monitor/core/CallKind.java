package io.sluice.monitor.core;

/** What a monitor is asked for. */
public enum CallKind {
    /** To take notice of more. */
    UPSCALE,
    /** To agree to less. */
    DOWNSCALE,
    /** Whether it lives. */
    HEALTH_CHECK
}
