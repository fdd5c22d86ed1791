package io.sluice.billing;

import io.sluice.billing.outbox.EventKind;
import io.sluice.billing.outbox.QueueId;
import io.sluice.billing.outbox.QueueSpec;
import io.sluice.billing.outbox.SinkRoute;
import io.sluice.billing.outbox.core.DeliverySchedule;
import io.sluice.billing.sink.Sink;
import java.util.List;

/**
 * A lane of the outbox, and who takes what waits in it.
 *
 * @param lane the lane
 * @param sink closed with the delivery
 * @param pace how often, and how long after a failure
 */
record Destination(QueueSpec lane, Sink sink, DeliverySchedule pace) {
    static List<QueueId> lanes(List<Destination> all, EventKind kind) {
        return all.stream()
                .map(destination -> destination.lane().id())
                .filter(id -> id.kind() == kind)
                .toList();
    }

    SinkRoute route() {
        return new SinkRoute(lane.id(), sink, pace);
    }
}
