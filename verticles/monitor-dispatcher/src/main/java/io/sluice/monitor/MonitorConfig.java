package io.sluice.monitor;

import io.sluice.bus.MonitorAddresses;
import io.sluice.shell.config.Durations;
import java.time.Duration;

/**
 * How sessions with monitors are kept: section {@code monitor}.
 *
 * @param connectionTimeout for dial, upgrade and version answer together
 * @param responseTimeout for each answer of a monitor; also for the first one, which proves the session
 * @param healthInterval from one health check to the next
 * @param healthGiveUp a run of failed health checks longer than this ends the session
 * @param leaseTimeout a session that nobody asked for in this time is closed
 * @param reconnectMin the wait after a first failed attempt; it doubles with each further one
 * @param reconnectMax no wait is longer
 * @param stateInterval how often the state is published while nothing changes
 * @param maxMessageBytes a frame or message beyond this ends the session
 * @param maxMessagesPerSecond a monitor that says more in one second is hung up on
 * @param maxSessions beyond this many, attaching is refused
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
        int maxMessageBytes,
        int maxMessagesPerSecond,
        int maxSessions) {
    /** Messages are read on the event loop that all sessions share. */
    private static final int BYTES_MAX = 64 << 10;

    private static final Duration LONGEST = Duration.ofHours(1);

    /** What holds where nothing is written. */
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
        checkNumber("maxMessageBytes", maxMessageBytes, 1024, BYTES_MAX);
        checkNumber("maxMessagesPerSecond", maxMessagesPerSecond, 10, 100_000);
        checkNumber("maxSessions", maxSessions, 1, 1_000_000);
        if (reconnectMax.compareTo(reconnectMin) < 0) {
            throw new IllegalArgumentException("monitor.reconnectMax=" + Durations.text(reconnectMax)
                    + " must not be below monitor.reconnectMin=" + Durations.text(reconnectMin));
        }
        var waitsFor = MonitorAddresses.UPSCALE.timeout();
        if (responseTimeout.compareTo(waitsFor) >= 0) {
            throw new IllegalArgumentException("monitor.responseTimeout=" + Durations.text(responseTimeout)
                    + " must be below " + Durations.text(waitsFor) + ", which is how long an asker waits");
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
