package io.sluice.monitor.core;

import java.time.Instant;

/** Where a link stands between two sessions. */
sealed interface ConnectionPhase {
    /** Waits before the next attempt. */
    record Resting(Instant until) implements ConnectionPhase {}

    /** Dialled; nothing came back yet. */
    record Dialling(Instant deadline) implements ConnectionPhase {}

    /** Open; our range is sent, the version is not here. */
    record Shaking(Instant deadline) implements ConnectionPhase {}

    /** The version is here, but a monitor may still drop us: only its first answer proves that it is served. */
    record Proving(Instant deadline, SessionProtocol talk) implements ConnectionPhase {}

    /** It answered. */
    record Live(Instant since, SessionProtocol talk) implements ConnectionPhase {}

    /** For ever: nobody wants it. */
    record Over() implements ConnectionPhase {}
}
