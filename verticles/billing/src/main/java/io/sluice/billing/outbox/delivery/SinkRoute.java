package io.sluice.billing.outbox.delivery;

import io.sluice.billing.outbox.core.DeliverySchedule;
import io.sluice.billing.sink.QueueId;
import io.sluice.billing.sink.Sink;
import java.util.Objects;

/**
 * Where the batches of a queue are sent, and when.
 *
 * @param queue the queue
 * @param sink the sink; closed when the delivery stops
 * @param pace how often to send, and how long to wait after a failure
 */
public record SinkRoute(QueueId queue, Sink sink, DeliverySchedule pace) {
    public SinkRoute {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(sink, "sink");
        Objects.requireNonNull(pace, "pace");
    }
}
