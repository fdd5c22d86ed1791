package io.sluice.monitor.core;

import java.time.Instant;

/** Where a link stands between two sessions. */
sealed interface Phase {
    /** Waits before the next attempt. */
    record Resting(Instant until) implements Phase {}

    /** Dialled; nothing came back yet. */
    record Dialling(Instant deadline) implements Phase {}

    /** Open; our range is sent, the version is not here. */
    record Shaking(Instant deadline) implements Phase {}

    /** The version is here, but a monitor may still drop us: only its first answer proves that it is served. */
    record Proving(Instant deadline, Conversation talk) implements Phase {}

    /** It answered. */
    record Live(Instant since, Conversation talk) implements Phase {}

    /** For ever: nobody wants it. */
    record Over() implements Phase {}
}
