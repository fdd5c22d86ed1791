package io.sluice.billing.outbox.delivery;

import io.sluice.billing.outbox.QueueSpec;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.QueueId;
import io.sluice.billing.sink.Sink;
import java.util.List;
import java.util.Objects;

/**
 * A queue of the outbox, and the sink that receives its batches.
 *
 * @param queue the queue
 * @param sink the sink; closed when the delivery stops
 * @param pace how often to send, and how long to wait after a failure
 */
public record Destination(QueueSpec queue, Sink sink, DeliverySchedule pace) {
    public Destination {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(sink, "sink");
        Objects.requireNonNull(pace, "pace");
    }

    /** Returns the queues for one kind of events. */
    public static List<QueueId> queues(List<Destination> all, EventKind kind) {
        return all.stream()
                .map(destination -> destination.queue().id())
                .filter(id -> id.kind() == kind)
                .toList();
    }
}
