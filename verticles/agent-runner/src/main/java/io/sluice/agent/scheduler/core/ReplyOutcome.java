package io.sluice.agent.scheduler.core;

import java.time.Duration;
import java.util.Optional;

/**
 * What an answer is to the runner that asked.
 *
 * @param <R> what the ledger would have answered on the bus
 */
public sealed interface ReplyOutcome<R> {
    /** The ledger's own answer. */
    record Replied<R>(R reply) implements ReplyOutcome<R> {}

    /**
     * None that the runner can use; the question may have been taken all the same.
     *
     * @param reason in words
     * @param pause before it is asked again, where the scheduler said so
     */
    record Unanswered<R>(String reason, Optional<Duration> pause) implements ReplyOutcome<R> {}
}
