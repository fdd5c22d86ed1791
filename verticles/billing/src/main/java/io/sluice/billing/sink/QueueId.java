package io.sluice.billing.sink;

import java.util.Objects;

/**
 * A queue of the outbox: events of one kind for one sink.
 *
 * @param kind kind of its events
 * @param client the sink, as metrics name it: {@code file}, {@code http}, {@code s3}, {@code azureblob}
 */
public record QueueId(EventKind kind, String client) {
    public QueueId {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(client, "client");
    }

    /** The name in the store and in logs. */
    public String label() {
        return kind.word() + "/" + client;
    }
}
