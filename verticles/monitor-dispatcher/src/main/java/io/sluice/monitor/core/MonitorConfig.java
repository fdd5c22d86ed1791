package io.sluice.monitor.core;

import io.sluice.messages.monitor.ResizeGuest;
import io.sluice.shell.config.ByteSize;
import io.sluice.shell.config.ByteSizes;
import io.sluice.shell.config.Durations;
import java.time.Duration;

/**
 * Section {@code monitor}: the sessions with monitors.
 *
 * @param connectionTimeout how long connecting, the upgrade and the exchange of versions may take together
 * @param responseTimeout how long a monitor may take for each reply, also for the first one, which proves the session
 * @param healthInterval the time between two health checks
 * @param healthGiveUp how long health checks may fail before the session ends
 * @param leaseTimeout how long a session is kept without a request for it
 * @param reconnectMin the wait after the first failed attempt; it doubles with each further one
 * @param reconnectMax the longest wait between two attempts
 * @param stateInterval how often an unchanged state is published
 * @param maxMessageSize the largest frame or message; a larger one ends the session
 * @param maxMessagesPerSecond the most messages of a monitor in one second; more end the session
 * @param maxSessions the most sessions; further ones are refused
 */
public record MonitorConfig(
        Duration connectionTimeout,
        Duration responseTimeout,
        Duration healthInterval,
        Duration healthGiveUp,
        Duration leaseTimeout,
        Duration reconnectMin,
        Duration reconnectMax,
        Duration stateInterval,
        @ByteSize int maxMessageSize,
        int maxMessagesPerSecond,
        int maxSessions) {
    private static final int BYTES_MIN = 1 << 10;
    /** All sessions share the event loop on which messages are read. */
    private static final int BYTES_MAX = 64 << 10;

    private static final Duration LONGEST = Duration.ofHours(1);

    /** The values for keys that are not set. */
    public static final MonitorConfig DEFAULTS = new MonitorConfig(
            Duration.ofSeconds(4),
            Duration.ofSeconds(5),
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Duration.ofSeconds(1),
            Duration.ofSeconds(60),
            Duration.ofSeconds(5),
            BYTES_MAX,
            100,
            10_000);

    public MonitorConfig {
        checkDuration("connectionTimeout", connectionTimeout);
        checkDuration("responseTimeout", responseTimeout);
        checkDuration("healthInterval", healthInterval);
        checkDuration("healthGiveUp", healthGiveUp);
        checkDuration("leaseTimeout", leaseTimeout);
        checkDuration("reconnectMin", reconnectMin);
        checkDuration("reconnectMax", reconnectMax);
        checkDuration("stateInterval", stateInterval);
        ByteSizes.requireBetween("monitor.maxMessageSize", maxMessageSize, BYTES_MIN, BYTES_MAX);
        checkNumber("maxMessagesPerSecond", maxMessagesPerSecond, 10, 100_000);
        checkNumber("maxSessions", maxSessions, 1, 1_000_000);
        if (reconnectMax.compareTo(reconnectMin) < 0) {
            throw new IllegalArgumentException("monitor.reconnectMax=" + Durations.text(reconnectMax)
                    + " must not be below monitor.reconnectMin=" + Durations.text(reconnectMin));
        }
        if (responseTimeout.compareTo(ResizeGuest.REPLY_WITHIN) >= 0) {
            throw new IllegalArgumentException(
                    "monitor.responseTimeout=" + Durations.text(responseTimeout) + " must be below "
                            + Durations.text(ResizeGuest.REPLY_WITHIN) + ", which is how long a requester waits");
        }
        if (leaseTimeout.compareTo(stateInterval) <= 0) {
            throw new IllegalArgumentException("monitor.leaseTimeout=" + Durations.text(leaseTimeout)
                    + " must exceed monitor.stateInterval=" + Durations.text(stateInterval));
        }
    }

    private static void checkDuration(String key, Duration value) {
        if (!value.isPositive() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("monitor." + key + "=" + Durations.text(value)
                    + " must be above zero and at most " + Durations.text(LONGEST));
        }
    }

    private static void checkNumber(String key, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException("monitor." + key + "=" + value + " must be " + min + " to " + max);
        }
    }
}
