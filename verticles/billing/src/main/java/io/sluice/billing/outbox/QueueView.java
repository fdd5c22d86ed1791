package io.sluice.billing.outbox;

import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * How a lane stands.
 *
 * @param open events in the batch that is not closed yet
 * @param batches how many are closed and wait
 * @param batchedEvents events in those
 * @param bytes what is stored of all of it
 * @param oldest when the oldest event came that waits
 * @param lost what was dropped, ever
 * @param quarantined entries that were set aside as damaged, ever
 */
public record QueueView(
        long open,
        long batches,
        long batchedEvents,
        long bytes,
        Optional<Instant> oldest,
        WriteResult.Loss lost,
        long quarantined) {
    /** Of a lane in which nothing ever was. */
    public static final QueueView EMPTY = new QueueView(0, 0, 0, 0, Optional.empty(), new WriteResult.Loss(0, 0), 0);

    public QueueView {
        Objects.requireNonNull(oldest, "oldest");
        Objects.requireNonNull(lost, "lost");
    }

    /** All that waits. */
    public long events() {
        return open + batchedEvents;
    }
}
