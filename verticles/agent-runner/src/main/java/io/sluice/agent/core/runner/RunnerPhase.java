package io.sluice.agent.core.runner;

import java.util.Optional;

/** How far a runner has come. */
sealed interface RunnerPhase {
    /** It asks for its session, then writes its fence. */
    record Entering(SessionOpening entry) implements RunnerPhase {}

    record Working(ServingState serving) implements RunnerPhase {}

    /** Waits for the answers that matter; {@code serving} takes them in, if it had come that far. */
    record Stopping(PendingStop ending, Optional<ServingState> serving) implements RunnerPhase {}

    record Stopped(PendingStop ending, Optional<ServingState> serving) implements RunnerPhase {}
}
