package io.sluice.billing.outbox;

import java.time.Instant;

/** How the batches of a lane are called. Asked once for each batch, when it is closed. */
@FunctionalInterface
public interface BatchNames {
    /**
     * A name that no other batch has.
     *
     * @param closedAt when the batch was closed
     * @param shortUuid new for each batch
     */
    String name(Instant closedAt, String shortUuid);
}
