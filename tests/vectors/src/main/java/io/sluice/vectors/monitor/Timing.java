package io.sluice.vectors.monitor;

import io.sluice.monitor.core.MonitorConfig;
import java.time.Duration;

/** Whether the pauses between a recording's events are kept or shortened. */
public enum Timing {
    /** As recorded. */
    KEPT,
    /** A twentieth of the recorded pause, at most 20 ms. */
    SQUEEZED;

    private static final String PROPERTY = "vectors.monitor.timing";
    private static final double PART = 20;
    private static final double LONGEST_MS = 20;

    /** The value of the system property {@code vectors.monitor.timing}; squeezed if it is not set. */
    static Timing configured() {
        return "kept".equals(System.getProperty(PROPERTY)) ? KEPT : SQUEEZED;
    }

    Duration pause(double recordedMs) {
        double ms = Math.max(0, recordedMs);
        return Duration.ofNanos((long) (1e6 * (this == KEPT ? ms : Math.min(ms / PART, LONGEST_MS))));
    }

    /**
     * The dispatcher's defaults, except for health checks and new attempts: a recording is done when they are. Timeouts
     * that end a session stay long, as a busy machine must not change a course.
     */
    MonitorConfig config() {
        var usual = MonitorConfig.DEFAULTS;
        return new MonitorConfig(
                this == KEPT ? usual.connectionTimeout() : Duration.ofSeconds(10),
                usual.responseTimeout(),
                Duration.ofMillis(40),
                usual.healthGiveUp(),
                Duration.ofMinutes(5),
                Duration.ofMillis(20),
                Duration.ofMillis(200),
                Duration.ofSeconds(1),
                usual.maxMessageSize(),
                usual.maxMessagesPerSecond(),
                usual.maxSessions());
    }
}
