package io.sluice.billing.outbox;

import io.micrometer.core.instrument.Gauge;
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
 * Brings what is in an outbox to the sinks, lane by lane, and takes what is offered to it. Lives on the context that it
 * was made on, and is only called from there.
 */
public final class Delivery {
    private static final Duration SINKS_CLOSE = Duration.ofSeconds(2);

    private final Vertx vertx;
    private final Outbox outbox;
    private final DeliveryContext tools;
    private final OutboxThreads workers;
    private final List<SinkSender> couriers;
    private final ScopedMetrics meters;
    private Optional<Future<Void>> stopping = Optional.empty();

    /** Sends nothing before {@link #start}. The outbox, and the sinks of the routes, are closed by {@link #stop}. */
    public Delivery(Vertx vertx, Outbox outbox, List<SinkRoute> routes, DeliveryContext tools) {
        this.vertx = Objects.requireNonNull(vertx, "vertx");
        this.outbox = Objects.requireNonNull(outbox, "outbox");
        this.tools = Objects.requireNonNull(tools, "tools");
        var longestSend = routes.stream()
                .map(route -> route.pace().pushTimeout())
                .max(Comparator.naturalOrder())
                .orElse(Duration.ofSeconds(1));
        workers = new OutboxThreads(vertx, routes.size(), longestSend);
        couriers = routes.stream()
                .map(route -> new SinkSender(vertx, route, outbox, workers, tools))
                .toList();
        meters = new ScopedMetrics(tools.meters());
        meters.add(Gauge.builder("sluice.billing.outbox.file.bytes", outbox, Outbox::fileBytes)
                .description("How long the outbox's file is, with what it holds beside events that wait")
                .baseUnit("bytes")
                .register(tools.meters()));
    }

    /** Begins with what is there from an earlier process. */
    public void start() {
        couriers.forEach(SinkSender::restock);
    }

    /**
     * Makes the offer durable. A failed future means that nobody knows: the same offer comes again, as it is. One offer
     * of a source at a time.
     */
    public Future<WriteResult> offer(OutboxWrite offer) {
        return workers.store(() -> outbox.accept(offer, tools.wall().instant())).onSuccess(acceptance -> {
            switch (acceptance) {
                case WriteResult.Taken taken -> taken(offer, taken);
                case WriteResult.Full full -> full(full);
            }
        });
    }

    private void taken(OutboxWrite offer, WriteResult.Taken taken) {
        couriers.stream()
                .filter(courier -> offer.events().containsKey(courier.lane()))
                .forEach(courier -> {
                    courier.taken(Optional.ofNullable(taken.lost().get(courier.lane())));
                    courier.restock();
                });
    }

    private void full(WriteResult.Full full) {
        Map<QueueId, String> reasons = new HashMap<>();
        full.lanes().forEach(lane -> reasons.put(lane.lane(), lane.reason()));
        couriers.stream()
                .filter(courier -> reasons.containsKey(courier.lane()))
                .forEach(courier -> courier.blocked(reasons.get(courier.lane())));
    }

    /**
     * Closes the open batches and sends what can be sent within that time, then closes the outbox. What was not sent is
     * sent after the next start.
     */
    public Future<Void> stop(Duration atMost) {
        if (stopping.isEmpty()) {
            stopping = Optional.of(end(atMost));
        }
        return stopping.get();
    }

    private Future<Void> end(Duration atMost) {
        return within(atMost, couriers.stream().map(SinkSender::stop).toList())
                .compose(drained -> within(
                        SINKS_CLOSE, couriers.stream().map(SinkSender::end).toList()))
                .compose(ended -> workers.<Void>store(() -> {
                    outbox.close();
                    return null;
                }))
                .onComplete(ended -> meters.close())
                .eventually(workers::close);
    }

    /** When all of them have ended, or after that time. */
    private Future<Void> within(Duration atMost, List<Future<Void>> all) {
        var over = Promise.<Void>promise();
        long timer = vertx.setTimer(Math.max(1, atMost.toMillis()), id -> over.tryComplete());
        Future.join(all).onComplete(done -> over.tryComplete());
        return over.future().onComplete(done -> vertx.cancelTimer(timer));
    }
}
