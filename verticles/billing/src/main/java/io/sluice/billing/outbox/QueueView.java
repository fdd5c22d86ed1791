package io.sluice.billing.outbox;

import java.time.Instant;
import java.util.Comparator;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The state of a queue.
 *
 * @param open number of events in the open batch
 * @param batches number of closed batches that wait
 * @param batchedEvents number of events in those
 * @param bytes stored bytes of all of it
 * @param oldest when the oldest waiting event was accepted
 * @param lost what was dropped since the outbox was created
 * @param quarantined entries set aside as damaged since the outbox was created
 */
public record QueueView(
        long open,
        long batches,
        long batchedEvents,
        long bytes,
        Optional<Instant> oldest,
        WriteResult.Loss lost,
        long quarantined) {
    /** The state of a queue that was never used. */
    public static final QueueView EMPTY = new QueueView(0, 0, 0, 0, Optional.empty(), new WriteResult.Loss(0, 0), 0);

    public QueueView {
        Objects.requireNonNull(oldest, "oldest");
        Objects.requireNonNull(lost, "lost");
    }

    /** The number of all waiting events. */
    public long events() {
        return open + batchedEvents;
    }

    /** Returns both together. */
    QueueView plus(QueueView other) {
        return new QueueView(
                open + other.open,
                batches + other.batches,
                batchedEvents + other.batchedEvents,
                bytes + other.bytes,
                Stream.concat(oldest.stream(), other.oldest.stream()).min(Comparator.naturalOrder()),
                lost.plus(other.lost),
                quarantined + other.quarantined);
    }
}
