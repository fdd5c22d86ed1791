package io.sluice.billing;

import io.sluice.billing.outbox.OutboxWrite;
import io.sluice.billing.outbox.WriteResult;
import io.sluice.billing.sink.QueueId;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Writes the data of one source to the outbox, one write at a time. A write that was refused or has an unknown result
 * is repeated unchanged. All methods run on one context.
 */
final class OutboxWriter {
    private final Function<OutboxWrite, Future<WriteResult>> outbox;
    private final String source;
    private long last;
    private Optional<OutboxWrite> unfinished = Optional.empty();
    private Runnable whenDurable = () -> {};
    private boolean waiting;
    private Future<WriteResult> answer = Future.failedFuture("nothing was written yet");

    /**
     * Creates a writer without an unfinished write.
     *
     * @param outbox makes a write durable
     * @param last number of the source's last durable write
     */
    OutboxWriter(Function<OutboxWrite, Future<WriteResult>> outbox, String source, long last) {
        this.outbox = outbox;
        this.source = source;
        this.last = last;
    }

    /** Whether a new write can begin. */
    boolean isFree() {
        return unfinished.isEmpty() && !waiting;
    }

    /** Whether a reply is awaited. */
    boolean isWaiting() {
        return waiting;
    }

    /** Begins a new write; only while the writer is free. */
    Future<WriteResult> offer(Map<QueueId, List<byte[]>> events, Map<String, byte[]> checkpoints) {
        return offer(events, checkpoints, () -> {});
    }

    /** @param durable called once the write is durable, before another one can begin */
    Future<WriteResult> offer(Map<QueueId, List<byte[]>> events, Map<String, byte[]> checkpoints, Runnable durable) {
        if (!isFree()) {
            throw new IllegalStateException("a write of " + source + " is not finished yet");
        }
        unfinished = Optional.of(new OutboxWrite(source, last + 1, events, checkpoints));
        whenDurable = durable;
        return again();
    }

    /** Repeats the write that was not accepted; only while there is one, and no reply is awaited. */
    Future<WriteResult> again() {
        waiting = true;
        // The state changes before any caller receives the result. Other tasks of the context may run between two
        // callbacks.
        answer = outbox.apply(unfinished.orElseThrow()).transform(this::answered);
        return answer;
    }

    /** Completes when no reply is awaited any more, whatever the result was. */
    Future<Void> quiet() {
        return waiting ? answer.transform(any -> Future.succeededFuture()) : Future.succeededFuture();
    }

    private Future<WriteResult> answered(AsyncResult<WriteResult> result) {
        waiting = false;
        if (result.failed()) {
            return Future.failedFuture(result.cause());
        }
        switch (result.result()) {
            case WriteResult.Taken taken -> {
                last = unfinished.orElseThrow().number();
                unfinished = Optional.empty();
                whenDurable.run();
            }
            case WriteResult.Full full -> {}
        }
        return Future.succeededFuture(result.result());
    }
}
