package io.sluice.gateway.listener;

import java.time.Duration;

/**
 * How long a listener waits for its clients.
 *
 * @param first a new connection's first request must arrive within this
 * @param idle a connection without a request is closed after this, even if single bytes arrive
 * @param taking what was written at once must be taken within this
 * @param renewal how often files are read again
 */
record ListenerTimeouts(Duration first, Duration idle, Duration taking, Duration renewal) {
    static final ListenerTimeouts USUAL = new ListenerTimeouts(
            Duration.ofSeconds(15), Duration.ofSeconds(75), Duration.ofSeconds(30), Duration.ofSeconds(10));
}
