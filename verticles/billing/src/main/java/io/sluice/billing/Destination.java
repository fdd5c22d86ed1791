package io.sluice.billing;

import io.sluice.billing.outbox.EventKind;
import io.sluice.billing.outbox.Lane;
import io.sluice.billing.outbox.LaneId;
import io.sluice.billing.outbox.Route;
import io.sluice.billing.outbox.core.Pace;
import io.sluice.billing.sink.Sink;
import java.util.List;

/**
 * A lane of the outbox, and who takes what waits in it.
 *
 * @param lane the lane
 * @param sink closed with the delivery
 * @param pace how often, and how long after a failure
 */
record Destination(Lane lane, Sink sink, Pace pace) {
    static List<LaneId> lanes(List<Destination> all, EventKind kind) {
        return all.stream()
                .map(destination -> destination.lane().id())
                .filter(id -> id.kind() == kind)
                .toList();
    }

    Route route() {
        return new Route(lane.id(), sink, pace);
    }
}
