package io.sluice.agent.core.runner;

import java.time.Instant;
import java.util.Optional;

/** How far a runner has come. */
sealed interface Phase {
    /** The ledger is being asked for a session, or will be: {@code again} says when, if it must wait. */
    record Opening(Optional<Instant> again) implements Phase {}

    /** The fence is being written, or will be. */
    record Claiming(long session, Optional<Instant> again) implements Phase {}

    record Working(Serving serving) implements Phase {}

    /** Waits for the answers that matter; {@code serving} takes them in, if it had come that far. */
    record Stopping(Ending ending, Optional<Serving> serving) implements Phase {}

    record Stopped() implements Phase {}
}
