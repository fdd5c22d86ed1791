package io.sluice.vectors.monitor;

import io.sluice.monitor.MonitorConfig;
import java.time.Duration;

/** Whether the pauses between a recording's events are waited for as they were, or only hinted at. */
public enum Timing {
    /** As recorded. */
    KEPT,
    /** A twentieth of it, and never more than 20 ms. */
    SQUEEZED;

    private static final String PROPERTY = "vectors.monitor.timing";
    private static final double PART = 20;
    private static final double LONGEST_MS = 20;

    /** What the system property {@code vectors.monitor.timing} says; squeezed where it says nothing. */
    static Timing configured() {
        return "kept".equals(System.getProperty(PROPERTY)) ? KEPT : SQUEEZED;
    }

    Duration pause(double recordedMs) {
        double ms = Math.max(0, recordedMs);
        return Duration.ofNanos((long) (1e6 * (this == KEPT ? ms : Math.min(ms / PART, LONGEST_MS))));
    }

    /**
     * The dispatcher's ordinary times, but for health checks and new attempts: a recording is done when they are. What
     * would end a session stays long, as a busy machine must not change how one goes.
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
                usual.maxMessageBytes(),
                usual.maxMessagesPerSecond(),
                usual.maxSessions());
    }
}
