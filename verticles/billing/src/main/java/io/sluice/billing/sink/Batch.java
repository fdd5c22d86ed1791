package io.sluice.billing.sink;

import java.time.Instant;
import java.util.Objects;

/**
 * Events that are sent at once. Name and body never change after the batch is closed, so that sending it again
 * overwrites or repeats, and never doubles.
 *
 * @param queue the queue of the batch
 * @param id grows with each batch of its queue
 * @param name name by which the receiver recognizes a repetition: an object's key, or a trace id
 * @param closedAt when it was closed
 * @param events number of events
 * @param body the bytes that are sent
 */
public record Batch(QueueId queue, long id, String name, Instant closedAt, int events, byte[] body) {
    public Batch {
        Objects.requireNonNull(queue, "queue");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(closedAt, "closedAt");
        Objects.requireNonNull(body, "body");
        if (events < 1) {
            throw new IllegalArgumentException("a batch holds at least one event: " + events);
        }
    }
}
