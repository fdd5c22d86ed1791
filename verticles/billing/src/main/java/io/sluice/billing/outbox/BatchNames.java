package io.sluice.billing.outbox;

import java.time.Instant;

/** Makes the names of a queue's batches. Called once for each batch, when it is closed. */
@FunctionalInterface
public interface BatchNames {
    /**
     * Returns a name that no other batch has.
     *
     * @param closedAt when the batch was closed
     * @param shortUuid new for each batch
     */
    String name(Instant closedAt, String shortUuid);
}
