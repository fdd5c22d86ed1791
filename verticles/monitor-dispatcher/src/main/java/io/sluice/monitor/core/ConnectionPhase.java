package io.sluice.monitor.core;

import java.time.Instant;

/** The phase of a connection. */
sealed interface ConnectionPhase {
    /** It waits before the next attempt. */
    record Resting(Instant until) implements ConnectionPhase {}

    /** The socket is dialled; there is no answer yet. */
    record Dialling(Instant deadline) implements ConnectionPhase {}

    /** The socket is open and the range is sent; the version has not arrived. */
    record Shaking(Instant deadline) implements ConnectionPhase {}

    /**
     * The version has arrived, but a monitor may still drop the connection: only its first answer proves the session.
     */
    record Proving(Instant deadline, SessionProtocol session) implements ConnectionPhase {}

    /** The monitor has answered. */
    record Live(Instant since, SessionProtocol session) implements ConnectionPhase {}

    /** Ended for good: the session is not requested any more. */
    record Over() implements ConnectionPhase {}
}
