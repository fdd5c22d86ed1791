package io.sluice.billing;

import io.sluice.billing.outbox.OutboxWrite;
import io.sluice.billing.outbox.QueueId;
import io.sluice.billing.outbox.WriteResult;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Offers to the outbox what one source has, one offer at a time: one that was not taken, or of which nobody knows,
 * comes again as it is. All on one context.
 */
final class OutboxWriter {
    private final Function<OutboxWrite, Future<WriteResult>> outbox;
    private final String source;
    private long last;
    private Optional<OutboxWrite> unfinished = Optional.empty();
    private boolean waiting;
    private Future<WriteResult> answer = Future.failedFuture("nothing was offered yet");

    /**
     * One that has offered nothing yet.
     *
     * @param outbox makes an offer durable
     * @param last number of the source's last offer that is durable
     */
    OutboxWriter(Function<OutboxWrite, Future<WriteResult>> outbox, String source, long last) {
        this.outbox = outbox;
        this.source = source;
        this.last = last;
    }

    /** Whether something new can be offered. */
    boolean isFree() {
        return unfinished.isEmpty() && !waiting;
    }

    /** Whether an answer is awaited. */
    boolean isWaiting() {
        return waiting;
    }

    /** Offers something new; only while the desk is free. */
    Future<WriteResult> offer(Map<QueueId, List<byte[]>> events, Map<String, byte[]> notes) {
        if (!isFree()) {
            throw new IllegalStateException("an offer of " + source + " is not finished yet");
        }
        unfinished = Optional.of(new OutboxWrite(source, last + 1, events, notes));
        return again();
    }

    /** Offers again what was not taken; only while there is such a thing, and no answer is awaited. */
    Future<WriteResult> again() {
        waiting = true;
        // Before anybody else hears of the answer, and all at once: other turns may come between two who hear of it.
        answer = outbox.apply(unfinished.orElseThrow()).transform(this::answered);
        return answer;
    }

    /** Completes once no answer is awaited any more, however it turned out. */
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
            }
            case WriteResult.Full full -> {}
        }
        return Future.succeededFuture(result.result());
    }
}
