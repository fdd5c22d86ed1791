package io.sluice.billing.outbox;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.billing.outbox.core.QueueDelivery;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/**
 * How one lane fares: under the names of Neon's agent, so that dashboards made for that one go on working, and ours.
 */
final class QueueMetrics implements AutoCloseable {
    private static final double FAILED = 0;
    private static final double NOTHING_TO_SEND = 1e-6;
    private static final int CAUSES_MAX = 50;
    private static final String OTHER = "other";

    private final MeterRegistry meters;
    private final ScopedMetrics passing;
    private final QueueId lane;
    private final String reference;
    private final Set<String> causes = ConcurrentHashMap.newKeySet();
    private volatile double lastSendSeconds = NOTHING_TO_SEND;
    private volatile boolean blocked;

    QueueMetrics(MeterRegistry meters, QueueId lane, Outbox outbox, InstantSource wall) {
        this.meters = meters;
        this.passing = new ScopedMetrics(meters);
        this.lane = lane;
        reference = "autoscaling_agent_" + lane.kind().word() + "_";
        passing.add(
                Gauge.builder(reference + "queue_size", () -> outbox.view(lane).events())
                        .description("Events that wait for a sink")
                        .tag("client", lane.client())
                        .register(meters));
        passing.add(Gauge.builder(reference + "last_send_duration_seconds", () -> lastSendSeconds)
                .description("How long it took to send all that waited: 0 if that failed, 1e-6 if nothing waited")
                .tag("client", lane.client())
                .register(meters));
        errors(QueueDelivery.TIMEOUT);
        own(
                "bytes",
                "bytes",
                "What is stored of events that wait",
                () -> outbox.view(lane).bytes());
        own(
                "oldest.age",
                "seconds",
                "How long the oldest event has waited",
                () -> outbox.view(lane)
                        .oldest()
                        .map(since -> Math.max(
                                0, Duration.between(since, wall.instant()).toMillis() / 1000.0))
                        .orElse(0.0));
        own("blocked", null, "Whether the last offer was not taken as the lane is full", () -> blocked ? 1 : 0);
        total(
                "lost.events",
                "Events that were dropped unsent, ever",
                outbox,
                view -> view.lost().events());
        total("quarantined", "Entries that were set aside as damaged, ever", outbox, QueueView::quarantined);
    }

    private void own(String name, String unit, String description, Supplier<Number> value) {
        passing.add(Gauge.builder("sluice.billing.outbox." + name, value)
                .description(description)
                .baseUnit(unit)
                .tag("lane", lane.label())
                .register(meters));
    }

    private void total(String name, String description, Outbox outbox, ToLongFunction<QueueView> value) {
        passing.add(FunctionCounter.builder(
                        "sluice.billing.outbox." + name, outbox, box -> value.applyAsLong(box.view(lane)))
                .description(description)
                .tag("lane", lane.label())
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

    /** Nobody brings anything to the sink any more; what was counted stays. */
    @Override
    public void close() {
        passing.close();
    }

    private Counter errors(String cause) {
        causes.add(cause);
        return Counter.builder(reference + "send_errors_total")
                .description("Failures to send, by their cause")
                .tag("client", lane.client())
                .tag("cause", cause)
                .register(meters);
    }
}
