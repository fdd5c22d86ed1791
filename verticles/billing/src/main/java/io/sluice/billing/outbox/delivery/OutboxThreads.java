package io.sluice.billing.outbox.delivery;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/**
 * The threads that block on the disk and on sinks. One thread is reserved for the outbox: it must never be interrupted,
 * and never block on a sink.
 */
final class OutboxThreads {
    private static final Duration SLOW_DISK = Duration.ofSeconds(30);

    private final WorkerExecutor store;
    private final WorkerExecutor sinks;

    OutboxThreads(Vertx vertx, int queues, Duration longestSend) {
        store = vertx.createSharedWorkerExecutor("billing-outbox", 1, SLOW_DISK.toMillis(), TimeUnit.MILLISECONDS);
        sinks = vertx.createSharedWorkerExecutor(
                "billing-sinks",
                Math.max(1, queues),
                longestSend.multipliedBy(2).toMillis(),
                TimeUnit.MILLISECONDS);
    }

    <T> Future<T> store(Callable<T> fault) {
        return store.executeBlocking(fault, false);
    }

    <T> Future<T> send(Callable<T> fault) {
        return sinks.executeBlocking(fault, false);
    }

    /** A sink that hangs is interrupted. */
    Future<Void> close() {
        return Future.join(store.close(), sinks.close()).mapEmpty();
    }
}
