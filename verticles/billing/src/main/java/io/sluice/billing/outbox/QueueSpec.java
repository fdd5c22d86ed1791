package io.sluice.billing.outbox;

import io.sluice.billing.sink.QueueId;
import java.util.Objects;

/**
 * The settings of one queue of the outbox.
 *
 * @param id id of the queue
 * @param form form of the batches' bodies
 * @param maxBatchSize number of events that makes a batch full
 * @param names makes the names of batches
 * @param limit how much may wait in the queue
 */
public record QueueSpec(QueueId id, BatchForm form, int maxBatchSize, BatchNames names, OutboxConfig limit) {
    public QueueSpec {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(form, "form");
        Objects.requireNonNull(names, "names");
        Objects.requireNonNull(limit, "limit");
        if (maxBatchSize < 1) {
            throw new IllegalArgumentException("maxBatchSize must be positive: " + maxBatchSize);
        }
    }
}
