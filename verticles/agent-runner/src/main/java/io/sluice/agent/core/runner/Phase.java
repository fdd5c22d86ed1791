package io.sluice.agent.core.runner;

import java.util.Optional;

/** How far a runner has come. */
sealed interface Phase {
    /** It asks for its session, then writes its fence. */
    record Entering(Entry entry) implements Phase {}

    record Working(Serving serving) implements Phase {}

    /** Waits for the answers that matter; {@code serving} takes them in, if it had come that far. */
    record Stopping(Ending ending, Optional<Serving> serving) implements Phase {}

    record Stopped(Ending ending, Optional<Serving> serving) implements Phase {}
}
