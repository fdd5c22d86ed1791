package io.sluice.billing.outbox;

import java.time.Instant;
import java.util.Objects;

/**
 * Events that leave together, as they were closed: neither name nor body ever changes, so that sending one again
 * overwrites or repeats, and never doubles.
 *
 * @param lane where it waits
 * @param id grows by one with each batch of its lane
 * @param name by which the receiver knows it again: an object's key, or a trace id
 * @param closedAt when it was closed
 * @param events how many events it holds
 * @param body what is sent
 */
public record Batch(QueueId lane, long id, String name, Instant closedAt, int events, byte[] body) {
    public Batch {
        Objects.requireNonNull(lane, "lane");
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(closedAt, "closedAt");
        Objects.requireNonNull(body, "body");
        if (events < 1) {
            throw new IllegalArgumentException("a batch holds at least one event: " + events);
        }
    }
}
