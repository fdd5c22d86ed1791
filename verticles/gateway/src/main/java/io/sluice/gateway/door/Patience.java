package io.sluice.gateway.door;

import java.time.Duration;

/**
 * How long a door waits for its callers.
 *
 * @param first a new connection's first request has to be there within this
 * @param idle a connection without a request is closed after this, whatever trickles in meanwhile
 * @param renewal how often files are read again
 */
record Patience(Duration first, Duration idle, Duration renewal) {
    static final Patience USUAL = new Patience(Duration.ofSeconds(15), Duration.ofSeconds(75), Duration.ofSeconds(10));
}
