package io.sluice.billing.outbox.delivery;

import io.sluice.billing.outbox.Outbox;
import io.sluice.billing.outbox.WriteResult;
import io.sluice.billing.outbox.core.DeliveryAction;
import io.sluice.billing.outbox.core.DeliveryEvent;
import io.sluice.billing.outbox.core.QueueDelivery;
import io.sluice.billing.sink.Batch;
import io.sluice.billing.sink.QueueId;
import io.sluice.billing.sink.SinkException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;

/**
 * Performs the actions that {@link QueueDelivery} decides for one queue. Runs on one context, and decides nothing
 * itself.
 */
final class SinkSender {
    private static final String OUTBOX = "outbox";
    private static final String UNEXPECTED = "unexpected";

    private final Vertx vertx;
    private final SinkRoute route;
    private final DeliveryContext tools;
    private final OutboxThreads workers;
    private final Outbox outbox;
    private final QueueDelivery core;
    private final QueueMetrics meters;
    private final DeliveryLog log;
    private final Promise<Void> finished = Promise.promise();
    private final Queue<DeliveryEvent> received = new ArrayDeque<>();
    private boolean stepping;
    private boolean ended;
    private Optional<Long> timer = Optional.empty();
    private Optional<Long> sent = Optional.empty();
    private Optional<Throwable> lastFailure = Optional.empty();

    SinkSender(Vertx vertx, SinkRoute route, Outbox outbox, OutboxThreads workers, DeliveryContext tools) {
        this.vertx = vertx;
        this.route = route;
        this.outbox = outbox;
        this.workers = workers;
        this.tools = tools;
        core = new QueueDelivery(route.pace(), tools.random(), tools.clock().instant());
        meters = new QueueMetrics(tools.meters(), route.queue(), outbox, tools.wall());
        log = new DeliveryLog(route.queue(), tools.clock());
    }

    QueueId queue() {
        return route.queue();
    }

    /** The contents of the queue may have changed. */
    void restock() {
        var view = outbox.view(route.queue());
        handle(new DeliveryEvent.Stocked(view.open(), view.batches()));
    }

    /** The last write was accepted, and that loss made room for it. */
    void taken(Optional<WriteResult.Loss> loss) {
        meters.blocked(false);
        log.roomy();
        loss.ifPresent(log::lost);
    }

    void blocked(String reason) {
        meters.blocked(true);
        log.blocked(reason);
    }

    /** Sends what it can; completes when that is done or has failed. */
    Future<Void> stop() {
        handle(new DeliveryEvent.Stopping());
        return finished.future();
    }

    /** Stops everything, also what is under way. */
    Future<Void> end() {
        ended = true;
        timer.ifPresent(vertx::cancelTimer);
        meters.close();
        log.unfinished(outbox.view(route.queue()));
        return workers.send(() -> {
            route.sink().close();
            return null;
        });
    }

    /**
     * A worker may complete before the step that started it is over. The event waits for that: an older step must not
     * set the timer after a newer one.
     */
    private void handle(DeliveryEvent event) {
        received.add(event);
        if (stepping || ended) {
            return;
        }
        stepping = true;
        try {
            for (var next = received.poll(); next != null; next = received.poll()) {
                core.on(next, tools.clock().instant()).forEach(this::perform);
            }
        } finally {
            stepping = false;
        }
    }

    private void perform(DeliveryAction action) {
        switch (action) {
            case DeliveryAction.CloseOpen(var number) -> closeOpen(number);
            case DeliveryAction.SendHead(var number) -> sendHead(number);
            case DeliveryAction.WakeAt(var when) ->
                wakeIn(Duration.between(tools.clock().instant(), when));
            case DeliveryAction.RecordDrained(var took) -> {
                meters.drained(took);
                log.drained();
            }
            case DeliveryAction.RecordNothingToSend() -> meters.nothingToSend();
            case DeliveryAction.RecordFailed(var label, var pause) -> {
                meters.failed(label);
                log.failed(label, lastFailure.orElse(null), pause);
            }
            case DeliveryAction.Finish() -> finished.tryComplete();
        }
    }

    private void wakeIn(Duration delay) {
        timer.ifPresent(vertx::cancelTimer);
        timer = Optional.of(vertx.setTimer(Math.max(1, delay.toMillis() + 1), id -> handle(new DeliveryEvent.Woken())));
    }

    private void closeOpen(long number) {
        workers.store(() -> outbox.closeOpen(route.queue(), tools.wall().instant()))
                .onComplete(
                        closed -> answered(new DeliveryEvent.Closed(number)),
                        failure -> failed(number, OUTBOX, failure));
    }

    private void sendHead(long number) {
        workers.store(() -> outbox.head(route.queue()))
                .onComplete(
                        head -> head.ifPresentOrElse(
                                batch -> sendUnlessSent(number, batch),
                                () -> answered(new DeliveryEvent.NothingThere(number))),
                        failure -> failed(number, OUTBOX, failure));
    }

    /** Does not send a batch again that its sink has accepted, and that could only not be removed. */
    private void sendUnlessSent(long number, Batch batch) {
        if (sent.filter(id -> id == batch.id()).isPresent()) {
            remove(number, batch.id());
        } else {
            send(number, batch);
        }
    }

    private void send(long number, Batch batch) {
        workers.send(() -> {
                    route.sink().send(batch);
                    return batch.id();
                })
                .onComplete(
                        id -> {
                            sent = Optional.of(id);
                            remove(number, id);
                        },
                        failure -> failed(
                                number, failure instanceof SinkException known ? known.label() : UNEXPECTED, failure));
    }

    private void remove(long number, long id) {
        workers.store(() -> outbox.taken(route.queue(), id))
                .onComplete(
                        removed -> answered(new DeliveryEvent.Sent(number)),
                        failure -> failed(number, OUTBOX, failure));
    }

    private void answered(DeliveryEvent answer) {
        lastFailure = Optional.empty();
        // Updates the counts first, so that the event is followed by the right action.
        restock();
        handle(answer);
    }

    private void failed(long number, String label, Throwable failure) {
        lastFailure = Optional.of(failure);
        restock();
        handle(new DeliveryEvent.Failed(number, label));
    }
}
