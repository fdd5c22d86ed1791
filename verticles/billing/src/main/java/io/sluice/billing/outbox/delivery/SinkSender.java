package io.sluice.billing.outbox.delivery;

import io.sluice.billing.outbox.Outbox;
import io.sluice.billing.outbox.OutboxException;
import io.sluice.billing.outbox.WriteResult;
import io.sluice.billing.sink.Batch;
import io.sluice.billing.sink.QueueId;
import io.sluice.billing.sink.SinkException;
import io.sluice.shell.Backoff;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Sends the batches of one queue, one at a time and in order. A failed batch is repeated after a pause, whether or not
 * new events arrive, and until then no further batch is closed. Runs on one context.
 *
 * <p>A send that takes too long counts as failed, but nothing else is sent before the sink has replied.
 */
final class SinkSender {
    /** The label of a send without a reply in time. */
    static final String TIMEOUT = "timeout";

    private static final String OUTBOX = "outbox";
    private static final String UNEXPECTED = "unexpected";

    private final Vertx vertx;
    private final Destination destination;
    private final DeliveryContext tools;
    private final OutboxThreads workers;
    private final Outbox outbox;
    private final Backoff.Failures failures;
    private final QueueMetrics meters;
    private final DeliveryLog log;
    private final Promise<Void> finished = Promise.promise();
    private boolean busy;
    private boolean pausing;
    private boolean stopping;
    private boolean ended;
    private Instant lastActivity;
    private Optional<Instant> drainingSince = Optional.empty();
    private OptionalLong timer = OptionalLong.empty();
    private OptionalLong lastSent = OptionalLong.empty();
    private Optional<Batch> sending = Optional.empty();

    /** The pause after a send that is reported as too late, and has not ended. */
    private OptionalLong overduePauseMs = OptionalLong.empty();

    SinkSender(Vertx vertx, Destination destination, Outbox outbox, OutboxThreads workers, DeliveryContext tools) {
        this.vertx = vertx;
        this.destination = destination;
        this.outbox = outbox;
        this.workers = workers;
        this.tools = tools;
        failures = destination.pace().backoff().failures(tools.random());
        meters = new QueueMetrics(tools.meters(), queue(), outbox, tools.clock());
        log = new DeliveryLog(queue(), tools);
        lastActivity = tools.clock().instant();
    }

    QueueId queue() {
        return destination.queue().id();
    }

    /** The last write was accepted, and that loss made room for it. */
    void taken(Optional<WriteResult.Loss> loss) {
        meters.blocked(false);
        log.roomy();
        loss.ifPresent(log::lost);
        goOn();
    }

    void blocked(String reason) {
        meters.blocked(true);
        log.blocked(reason);
    }

    /** Sends what it can; completes when that is done or has failed. */
    Future<Void> stop() {
        stopping = true;
        pausing = false;
        goOn();
        return finished.future();
    }

    /** Stops everything, also what is under way. */
    Future<Void> end() {
        ended = true;
        cancelTimer();
        meters.close();
        log.unfinished(outbox.view(queue()));
        return workers.send(() -> {
            destination.sink().close();
            return null;
        });
    }

    /** Does what is next, unless something is under way: the queue or the time may have changed. */
    void goOn() {
        if (busy || pausing || ended || finished.future().isComplete()) {
            return;
        }
        var view = outbox.view(queue());
        var now = tools.clock().instant();
        if (view.batches() > 0) {
            drainingSince = drainingSince.or(() -> Optional.of(now));
            wakeIn(destination.pace().pushTimeout().toMillis(), this::overdue);
            await(sendHead());
            return;
        }
        drainingSince.ifPresent(since -> {
            meters.drained(Duration.between(since, now));
            log.drained();
        });
        drainingSince = Optional.empty();
        var due = lastActivity.plus(destination.pace().pushEvery());
        if (view.open() > 0 && (stopping || !now.isBefore(due))) {
            await(workers.store(() -> outbox.closeOpen(queue(), now)));
        } else if (stopping) {
            finished.complete();
        } else {
            rest(due, now);
        }
    }

    private void rest(Instant due, Instant now) {
        var next = due;
        if (!now.isBefore(due)) {
            meters.nothingToSend();
            lastActivity = now;
            next = now.plus(destination.pace().pushEvery());
        }
        wakeIn(Duration.between(now, next).toMillis() + 1, this::goOn);
    }

    private Future<?> sendHead() {
        return workers.store(() -> outbox.head(queue()))
                .compose(head -> head.map(this::sendUnlessSent).orElseGet(Future::succeededFuture));
    }

    /** Does not send a batch again that its sink has accepted, and that could only not be removed. */
    private Future<?> sendUnlessSent(Batch batch) {
        var sent = lastSent.equals(OptionalLong.of(batch.id())) ? Future.succeededFuture() : send(batch);
        return sent.compose(accepted -> workers.store(() -> outbox.taken(queue(), batch.id())));
    }

    private Future<?> send(Batch batch) {
        sending = Optional.of(batch);
        return workers.send(() -> {
                    destination.sink().send(batch);
                    return null;
                })
                .onSuccess(accepted -> {
                    lastSent = OptionalLong.of(batch.id());
                    log.accepted();
                })
                .recover(failure -> divide(batch, failure));
    }

    /** The next attempt sends a part, so that in the end only the event waits that the receiver refuses. */
    private <T> Future<T> divide(Batch batch, Throwable failure) {
        if (!(failure instanceof SinkException refused && refused.isRefused()) || batch.events() == 1) {
            return Future.failedFuture(failure);
        }
        // Parts have ids of their own, which may have been those of earlier parts.
        lastSent = OptionalLong.empty();
        return workers.store(() -> outbox.divide(queue(), batch.id()))
                .transform(divided -> Future.failedFuture(failure));
    }

    private void await(Future<?> step) {
        busy = true;
        step.onComplete(
                done -> {
                    over();
                    failures.reset();
                    overduePauseMs = OptionalLong.empty();
                    goOn();
                },
                this::failed);
    }

    private void over() {
        busy = false;
        cancelTimer();
        lastActivity = tools.clock().instant();
    }

    private void failed(Throwable failure) {
        over();
        drainingSince = Optional.empty();
        long pauseMs = overduePauseMs.orElseGet(() -> report(label(failure), Optional.of(failure)));
        overduePauseMs = OptionalLong.empty();
        if (stopping) {
            finished.complete();
        } else if (!ended) {
            pausing = true;
            wakeIn(pauseMs, () -> {
                pausing = false;
                goOn();
            });
        }
    }

    private void overdue() {
        drainingSince = Optional.empty();
        overduePauseMs = OptionalLong.of(report(TIMEOUT, Optional.empty()));
    }

    private long report(String label, Optional<Throwable> cause) {
        long pauseMs = failures.nextMs();
        meters.failed(label);
        log.failed(label, cause, sending, pauseMs);
        return pauseMs;
    }

    private static String label(Throwable failure) {
        return switch (failure) {
            case SinkException refused -> refused.label();
            case OutboxException _ -> OUTBOX;
            default -> UNEXPECTED;
        };
    }

    /** Replaces an earlier timer. */
    private void wakeIn(long delayMs, Runnable work) {
        cancelTimer();
        timer = OptionalLong.of(vertx.setTimer(Math.max(1, delayMs), id -> work.run()));
    }

    private void cancelTimer() {
        timer.ifPresent(vertx::cancelTimer);
        timer = OptionalLong.empty();
    }
}
