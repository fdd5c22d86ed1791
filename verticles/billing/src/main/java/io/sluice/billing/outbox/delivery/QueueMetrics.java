package io.sluice.billing.outbox.delivery;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.billing.outbox.Outbox;
import io.sluice.billing.outbox.QueueView;
import io.sluice.billing.outbox.ScopedMetrics;
import io.sluice.billing.sink.QueueId;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/** The metrics of one queue. Some have the names of Neon's agent, so that its dashboards keep working. */
final class QueueMetrics implements AutoCloseable {
    private static final double FAILED = 0;
    private static final double NOTHING_TO_SEND = 1e-6;
    private static final int CAUSES_MAX = 50;
    private static final String OTHER = "other";

    private final MeterRegistry meters;
    private final ScopedMetrics passing;
    private final QueueId queue;
    private final String reference;
    private final Set<String> causes = ConcurrentHashMap.newKeySet();
    private volatile double lastSendSeconds = NOTHING_TO_SEND;
    private volatile boolean blocked;

    QueueMetrics(MeterRegistry meters, QueueId queue, Outbox outbox, InstantSource clock) {
        this.meters = meters;
        this.passing = new ScopedMetrics(meters);
        this.queue = queue;
        reference = "autoscaling_agent_" + queue.kind().word() + "_";
        passing.add(
                Gauge.builder(reference + "queue_size", () -> outbox.view(queue).events())
                        .description("Events that wait for a sink")
                        .tag("client", queue.client())
                        .register(meters));
        passing.add(Gauge.builder(reference + "last_send_duration_seconds", () -> lastSendSeconds)
                .description("Time to send everything that waited: 0 if that failed, 1e-6 if nothing waited")
                .tag("client", queue.client())
                .register(meters));
        errors(SinkSender.TIMEOUT);
        own(
                "bytes",
                "bytes",
                "Stored bytes of events that wait",
                () -> outbox.view(queue).bytes());
        own(
                "oldest.age",
                "seconds",
                "Time that the oldest event has waited",
                () -> outbox.view(queue)
                        .oldest()
                        .map(since -> Math.max(
                                0, Duration.between(since, clock.instant()).toMillis() / 1000.0))
                        .orElse(0.0));
        own("blocked", null, "1 if the last write was refused because the queue is full", () -> blocked ? 1 : 0);
        total(
                "lost.events",
                "Events dropped unsent since the outbox was created",
                outbox,
                view -> view.lost().events());
        total("quarantined", "Damaged entries set aside since the outbox was created", outbox, QueueView::quarantined);
    }

    private void own(String name, String unit, String description, Supplier<Number> value) {
        passing.add(Gauge.builder("sluice.billing.outbox." + name, value)
                .description(description)
                .baseUnit(unit)
                .tag("queue", queue.label())
                .register(meters));
    }

    private void total(String name, String description, Outbox outbox, ToLongFunction<QueueView> value) {
        passing.add(FunctionCounter.builder(
                        "sluice.billing.outbox." + name, outbox, box -> value.applyAsLong(box.view(queue)))
                .description(description)
                .tag("queue", queue.label())
                .register(meters));
    }

    void drained(Duration took) {
        lastSendSeconds = Math.max(NOTHING_TO_SEND, took.toNanos() / 1e9);
    }

    void nothingToSend() {
        lastSendSeconds = NOTHING_TO_SEND;
    }

    void failed(String cause) {
        lastSendSeconds = FAILED;
        errors(causes.size() < CAUSES_MAX || causes.contains(cause) ? cause : OTHER)
                .increment();
    }

    void blocked(boolean now) {
        blocked = now;
    }

    /** Removes the gauges; counters of errors stay. */
    @Override
    public void close() {
        passing.close();
    }

    private Counter errors(String cause) {
        causes.add(cause);
        return Counter.builder(reference + "send_errors_total")
                .description("Failures to send, by cause")
                .tag("client", queue.client())
                .tag("cause", cause)
                .register(meters);
    }
}
