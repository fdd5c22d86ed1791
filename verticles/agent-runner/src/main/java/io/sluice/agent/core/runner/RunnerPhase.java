package io.sluice.agent.core.runner;

import java.util.Optional;

/** How far a runner has come. */
sealed interface RunnerPhase {
    /** It requests its session, then writes its fence. */
    record Entering(SessionOpening entry) implements RunnerPhase {}

    record Working(ServingState serving) implements RunnerPhase {}

    /** It waits for the replies that matter; {@code serving} handles them, if the runner had come that far. */
    record Stopping(PendingStop ending, Optional<ServingState> serving) implements RunnerPhase {}

    record Stopped(PendingStop ending, Optional<ServingState> serving) implements RunnerPhase {}
}
