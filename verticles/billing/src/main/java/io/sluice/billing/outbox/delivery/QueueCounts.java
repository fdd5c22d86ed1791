package io.sluice.billing.outbox.delivery;

import io.sluice.billing.outbox.Outbox;
import java.util.List;

/** Counts over the queues of the outbox. */
public record QueueCounts(List<Destination> destinations, Outbox outbox) {
    /** How many rows were set aside because they are damaged. */
    public long setAside() {
        return destinations.stream()
                .mapToLong(destination -> outbox.view(destination.queue().id()).quarantined())
                .sum();
    }

    /**
     * How many events wait.
     *
     * @param queue the label of a queue
     */
    public long waiting(String queue) {
        return destinations.stream()
                .map(destination -> destination.queue().id())
                .filter(id -> id.label().equals(queue))
                .mapToLong(id -> outbox.view(id).events())
                .sum();
    }
}
