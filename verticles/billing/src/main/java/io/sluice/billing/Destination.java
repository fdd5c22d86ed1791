package io.sluice.billing;

import io.sluice.billing.outbox.QueueSpec;
import io.sluice.billing.outbox.core.DeliverySchedule;
import io.sluice.billing.outbox.delivery.SinkRoute;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.QueueId;
import io.sluice.billing.sink.Sink;
import java.util.List;

/**
 * A queue of the outbox, and the sink that receives its batches.
 *
 * @param queue the queue
 * @param sink the sink; closed with the delivery
 * @param pace how often to send, and how long to wait after a failure
 */
record Destination(QueueSpec queue, Sink sink, DeliverySchedule pace) {
    static List<QueueId> queues(List<Destination> all, EventKind kind) {
        return all.stream()
                .map(destination -> destination.queue().id())
                .filter(id -> id.kind() == kind)
                .toList();
    }

    SinkRoute route() {
        return new SinkRoute(queue.id(), sink, pace);
    }
}
