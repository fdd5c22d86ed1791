package io.sluice.billing.outbox;

import java.util.Objects;

/**
 * What one lane of the outbox is like.
 *
 * @param id which one
 * @param form how its batches are put together
 * @param maxBatchSize how many events make a batch full
 * @param names how its batches are called
 * @param limit how much may wait in it
 */
public record QueueSpec(QueueId id, BatchForm form, int maxBatchSize, BatchNames names, QueueLimit limit) {
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
