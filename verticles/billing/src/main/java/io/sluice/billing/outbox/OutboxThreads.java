package io.sluice.billing.outbox;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * The threads that wait for the disk and for sinks. One has the outbox to itself: it must never be interrupted, and
 * never wait for a sink.
 */
final class OutboxThreads {
    private static final Duration SLOW_DISK = Duration.ofSeconds(30);

    private final WorkerExecutor store;
    private final WorkerExecutor sinks;

    OutboxThreads(Vertx vertx, int lanes, Duration longestSend) {
        store = vertx.createSharedWorkerExecutor("billing-outbox", 1, SLOW_DISK.toMillis(), TimeUnit.MILLISECONDS);
        sinks = vertx.createSharedWorkerExecutor(
                "billing-sinks", Math.max(1, lanes), longestSend.multipliedBy(2).toMillis(), TimeUnit.MILLISECONDS);
    }

    <T> Future<T> store(Callable<T> deed) {
        return store.executeBlocking(deed, false);
    }

    <T> Future<T> send(Callable<T> deed) {
        return sinks.executeBlocking(deed, false);
    }

    /** A sink that hangs is interrupted; nobody waits for it. */
    Future<Void> close() {
        return Future.join(store.close(), sinks.close()).mapEmpty();
    }
}
