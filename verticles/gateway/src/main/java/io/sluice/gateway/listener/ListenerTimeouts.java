package io.sluice.gateway.listener;

import java.time.Duration;

/**
 * How long a door waits for its callers.
 *
 * @param first a new connection's first request has to be there within this
 * @param idle a connection without a request is closed after this, whatever trickles in meanwhile
 * @param taking what was written at once has to be taken within this
 * @param renewal how often files are read again
 */
record ListenerTimeouts(Duration first, Duration idle, Duration taking, Duration renewal) {
    static final ListenerTimeouts USUAL = new ListenerTimeouts(
            Duration.ofSeconds(15), Duration.ofSeconds(75), Duration.ofSeconds(30), Duration.ofSeconds(10));
}
