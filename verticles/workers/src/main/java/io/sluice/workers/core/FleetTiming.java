package io.sluice.workers.core;

import java.time.Duration;

/**
 * The times that decide what becomes of workers and instances.
 *
 * @param lease a worker without a frame for this long is suspect
 * @param lost a worker that is suspect for this long is lost
 * @param ack an order that is not acknowledged for this long has failed
 * @param start an instance that does not run for this long after its order has failed
 * @param grace how long an instance has to end by itself once it is to stop
 * @param heartbeat how often a worker sends a sign of life while there are few
 * @param heartbeatMax how often it does so at least
 * @param window after a start, how long placements wait for workers that are known and not back yet
 */
public record FleetTiming(
        Duration lease,
        Duration lost,
        Duration ack,
        Duration start,
        Duration grace,
        Duration window,
        Duration heartbeat,
        Duration heartbeatMax) {
    /** What one process reads beside its other work. */
    static final int HEARTBEATS_PER_SECOND_MAX = 4_000;

    /** A lease is renewed this often. */
    static final int HEARTBEATS_PER_LEASE = 3;

    /** Without any need for longer heartbeats. */
    public FleetTiming(Duration lease, Duration lost, Duration ack, Duration start, Duration grace, Duration window) {
        this(lease, lost, ack, start, grace, window, Duration.ofSeconds(5), Duration.ofSeconds(5));
    }

    /** How long an ended instance is remembered. */
    static final Duration RETAINED = Duration.ofMinutes(10);

    /** How long a lost worker is remembered. */
    static final Duration LOST_RETAINED = Duration.ofHours(24);

    /** How long a worker that refused an instance gets it no more. */
    static final Duration EXCLUDED = Duration.ofSeconds(60);

    /** How long an instance of an unknown id may run before it is stopped. */
    static final Duration FOREIGN = Duration.ofSeconds(60);

    /** The wait before another attempt to place an instance that had no room. */
    static final Duration PLACE_EVERY = Duration.ofSeconds(1);

    /** The longest wait before another attempt to place an instance. */
    static final Duration PLACE_BACKOFF_MAX = Duration.ofSeconds(60);

    /** The longest wait before an instance that ended is started again. */
    static final Duration RESTART_BACKOFF_MAX = Duration.ofMinutes(5);

    /** An instance that ran for this long had a good start: its failures are forgotten. */
    static final Duration SETTLED = Duration.ofMinutes(10);

    /** A stop that has no effect is repeated this long after the grace. */
    static final Duration STOP_AGAIN = Duration.ofSeconds(30);

    /** A process that did not look for this long was stopped itself, so silence in that time proves nothing. */
    static final Duration OWN_PAUSE = Duration.ofSeconds(3);

    /** How often each of so many workers sends a heartbeat. */
    Duration heartbeat(int workers) {
        var needed = Duration.ofMillis(1_000L * workers / HEARTBEATS_PER_SECOND_MAX);
        var longest = needed.compareTo(heartbeatMax) > 0 ? heartbeatMax : needed;
        return longest.compareTo(heartbeat) > 0 ? longest : heartbeat;
    }

    /** The lease of a worker with that heartbeat. */
    Duration lease(Duration beat) {
        var needed = beat.multipliedBy(HEARTBEATS_PER_LEASE);
        return beat.compareTo(heartbeat) > 0 && needed.compareTo(lease) > 0 ? needed : lease;
    }

    /** How long the next attempt waits after so many failures in a row. */
    static Duration backoff(int failures, Duration max) {
        var wait = Duration.ofSeconds(1L << Math.min(Math.max(failures - 1, 0), 20));
        return wait.compareTo(max) > 0 ? max : wait;
    }
}
