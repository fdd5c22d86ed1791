package io.sluice.billing.outbox.delivery;

import io.micrometer.core.instrument.Gauge;
import io.sluice.billing.outbox.Outbox;
import io.sluice.billing.outbox.OutboxWrite;
import io.sluice.billing.outbox.ScopedMetrics;
import io.sluice.billing.outbox.WriteResult;
import io.sluice.billing.sink.QueueId;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Writes to an outbox, and sends its batches to the sinks, queue by queue. Created on a context, and only called from
 * it.
 */
public final class Delivery {
    private static final Duration SINKS_CLOSE = Duration.ofSeconds(2);

    private final Vertx vertx;
    private final Outbox outbox;
    private final DeliveryContext tools;
    private final OutboxThreads workers;
    private final List<SinkSender> senders;
    private final ScopedMetrics meters;
    private Optional<Future<Void>> stopping = Optional.empty();

    /** Sends nothing before {@link #start}. {@link #stop} closes the outbox and the sinks of the destinations. */
    public Delivery(Vertx vertx, Outbox outbox, List<Destination> destinations, DeliveryContext tools) {
        this.vertx = Objects.requireNonNull(vertx, "vertx");
        this.outbox = Objects.requireNonNull(outbox, "outbox");
        this.tools = Objects.requireNonNull(tools, "tools");
        var longestSend = destinations.stream()
                .map(destination -> destination.pace().pushTimeout())
                .max(Comparator.naturalOrder())
                .orElse(Duration.ofSeconds(1));
        workers = new OutboxThreads(vertx, destinations.size(), longestSend);
        senders = destinations.stream()
                .map(destination -> new SinkSender(vertx, destination, outbox, workers, tools))
                .toList();
        meters = new ScopedMetrics(tools.meters());
        meters.add(Gauge.builder("sluice.billing.outbox.file.bytes", outbox, Outbox::fileBytes)
                .description("Size of the outbox's file, including data other than waiting events")
                .baseUnit("bytes")
                .register(tools.meters()));
    }

    /** Starts to send, also what an earlier process left. */
    public void start() {
        senders.forEach(SinkSender::goOn);
    }

    /**
     * Makes the write durable. If the future fails, the result is unknown, and the caller repeats the same write. One
     * write of a source at a time.
     */
    public Future<WriteResult> offer(OutboxWrite offer) {
        return workers.store(() -> outbox.accept(offer, tools.clock().instant()))
                .onSuccess(acceptance -> {
                    switch (acceptance) {
                        case WriteResult.Taken taken -> taken(offer, taken);
                        case WriteResult.Full full -> full(full);
                    }
                });
    }

    private void taken(OutboxWrite offer, WriteResult.Taken taken) {
        senders.stream()
                .filter(sender -> offer.events().containsKey(sender.queue()))
                .forEach(sender -> sender.taken(Optional.ofNullable(taken.lost().get(sender.queue()))));
    }

    private void full(WriteResult.Full full) {
        Map<QueueId, String> reasons = new HashMap<>();
        full.queues().forEach(queue -> reasons.put(queue.queue(), queue.reason()));
        senders.stream()
                .filter(sender -> reasons.containsKey(sender.queue()))
                .forEach(sender -> sender.blocked(reasons.get(sender.queue())));
    }

    /**
     * Closes the open batches, sends what it can within that time, then closes the outbox. The rest is sent after the
     * next start.
     */
    public Future<Void> stop(Duration atMost) {
        if (stopping.isEmpty()) {
            stopping = Optional.of(end(atMost));
        }
        return stopping.get();
    }

    private Future<Void> end(Duration atMost) {
        return within(atMost, senders.stream().map(SinkSender::stop).toList())
                .compose(drained -> within(
                        SINKS_CLOSE, senders.stream().map(SinkSender::end).toList()))
                .compose(ended -> workers.<Void>store(() -> {
                    outbox.close();
                    return null;
                }))
                .onComplete(ended -> meters.close())
                .eventually(workers::close);
    }

    /** Completes when all futures are complete, or after that time. */
    private Future<Void> within(Duration atMost, List<Future<Void>> all) {
        var over = Promise.<Void>promise();
        long timer = vertx.setTimer(Math.max(1, atMost.toMillis()), id -> over.tryComplete());
        Future.join(all).onComplete(done -> over.tryComplete());
        return over.future().onComplete(done -> vertx.cancelTimer(timer));
    }
}
