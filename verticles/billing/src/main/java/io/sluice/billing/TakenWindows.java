package io.sluice.billing;

import io.sluice.billing.outbox.WriteResult;
import io.sluice.billing.replica.Replicator;
import io.sluice.billing.sink.EventKind;
import io.sluice.billing.sink.QueueId;
import io.vertx.core.Future;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Writes windows that another process copied to the outbox, one at a time. All methods run on one context. */
final class TakenWindows {
    private final OutboxWriter writer;
    private final Replicator replicator;
    private final Function<Map<EventKind, List<byte[]>>, Map<QueueId, List<byte[]>>> queues;

    /** @param queues returns the same events for each queue of their kind */
    TakenWindows(
            OutboxWriter writer,
            Replicator replicator,
            Function<Map<EventKind, List<byte[]>>, Map<QueueId, List<byte[]>>> queues) {
        this.writer = writer;
        this.replicator = replicator;
        this.queues = queues;
    }

    /** Writes a window; the future succeeds once it is durable. */
    Future<Void> take(String key, Map<EventKind, List<byte[]>> window) {
        if (writer.isWaiting()) {
            return Future.failedFuture("the last window of another process is being written");
        }
        if (!writer.isFree()) {
            return durable(writer.again())
                    .compose(done -> replicator.holds(key) ? Future.succeededFuture() : take(key, window));
        }
        var offered = queues.apply(window);
        return durable(writer.offer(offered, Map.of(), () -> replicator.took(key, window, offered.keySet())));
    }

    private static Future<Void> durable(Future<WriteResult> written) {
        return written.compose(result -> switch (result) {
            case WriteResult.Taken _ -> Future.succeededFuture();
            case WriteResult.Full full -> Future.failedFuture(full.reason());
        });
    }
}
