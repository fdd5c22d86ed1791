package io.sluice.billing.outbox;

import java.util.Objects;

/**
 * One queue of the outbox: events of one kind on their way to one sink.
 *
 * @param kind of its events
 * @param client the sink, as metrics name it: {@code file}, {@code http}, {@code s3}, {@code azureblob}
 */
public record QueueId(EventKind kind, String client) {
    public QueueId {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(client, "client");
    }

    /** Its name in the store and in logs. */
    public String label() {
        return kind.word() + "/" + client;
    }
}
