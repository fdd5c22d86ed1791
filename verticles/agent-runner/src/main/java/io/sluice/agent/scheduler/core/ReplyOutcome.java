package io.sluice.agent.scheduler.core;

import java.time.Duration;
import java.util.Optional;

/**
 * What a response is to the runner that sent the request.
 *
 * @param <R> the ledger's reply on the bus
 */
public sealed interface ReplyOutcome<R> {
    /** The ledger's own reply. */
    record Replied<R>(R reply) implements ReplyOutcome<R> {}

    /**
     * No reply that the runner can use; the request may have been carried out nevertheless.
     *
     * @param reason in words
     * @param pause before it is sent again, if the scheduler requires one
     */
    record Unanswered<R>(String reason, Optional<Duration> pause) implements ReplyOutcome<R> {}
}
