package io.sluice.billing.outbox;

import io.sluice.billing.outbox.core.DeliverySchedule;
import io.sluice.billing.sink.Sink;
import java.util.Objects;

/**
 * Where the batches of a lane go, and how fast.
 *
 * @param lane whose batches
 * @param sink who takes them; closed when the delivery stops
 * @param pace how often, and how long after a failure
 */
public record SinkRoute(QueueId lane, Sink sink, DeliverySchedule pace) {
    public SinkRoute {
        Objects.requireNonNull(lane, "lane");
        Objects.requireNonNull(sink, "sink");
        Objects.requireNonNull(pace, "pace");
    }
}
