package io.sluice.billing.outbox;

import java.time.Duration;

/**
 * Receives what an operator should know about the outbox. Called on the caller's thread, while the outbox is locked.
 */
public interface OutboxListener {
    /** The file cannot be used. The first call after the wait opens it again. */
    void failed(Throwable cause, Duration wait);

    /** The file can be used again. */
    void works();

    /** The file was not in the expected state, and was repaired. */
    void found(OpeningFinding finding);

    /** Events wait for a sink that is not configured any more; they are kept. */
    void orphaned(String queue, long entries);
}
