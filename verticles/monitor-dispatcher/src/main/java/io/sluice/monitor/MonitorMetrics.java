package io.sluice.monitor;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.monitor.core.CallKind;
import io.sluice.monitor.core.CallOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/** The metrics of the dispatcher. Gauges are written on the verticle's context and read from any thread. */
final class MonitorMetrics {
    private final MeterRegistry meters;
    private final AtomicInteger attached = new AtomicInteger();
    private final AtomicInteger connected = new AtomicInteger();
    private final AtomicInteger sockets = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger timers = new AtomicInteger();
    private final AtomicInteger silent = new AtomicInteger();
    private final List<Meter> gauges;
    private final Counter dials;
    private final Counter losses;
    private final Counter upscaleRequests;
    private final Counter protocolErrors;

    MonitorMetrics(MeterRegistry meters) {
        this.meters = meters;
        this.gauges = List.of(
                gauge("attached", attached, "VMs with a requested monitor session"),
                gauge("connected", connected, "VMs with a monitor that has answered in the present session"),
                gauge("sockets", sockets, "connections to monitors that are dialled, open or being closed"),
                gauge("waiting", waiting, "requests that a monitor has not answered yet"),
                gauge("silent", silent, "attached VMs without a successful health check for 20 seconds"),
                gauge("timers", timers, "timers set, at most one for each attached VM"));
        this.dials = Counter.builder("sluice.monitor.dials")
                .description("connections begun; beyond the first of each VM they are reconnects")
                .register(meters);
        this.losses = Counter.builder("sluice.monitor.losses")
                .description("attempts and sessions that ended without a request to end them")
                .register(meters);
        this.upscaleRequests = Counter.builder("sluice.monitor.upscale.requests")
                .description("upscale requests published")
                .register(meters);
        this.protocolErrors = Counter.builder("sluice.monitor.protocol.errors")
                .description("answers without a request, and InvalidMessage errors of monitors")
                .register(meters);
        // A series that begins with its first failure shows no rate for it.
        for (var kind : CallKind.values()) {
            for (var outcome : CallOutcome.values()) {
                calls(kind, outcome);
            }
        }
    }

    private Gauge gauge(String name, AtomicInteger value, String description) {
        return Gauge.builder("sluice.monitor." + name, value, AtomicInteger::get)
                .description(description)
                .register(meters);
    }

    void attached(int change) {
        attached.addAndGet(change);
    }

    void connected(int change) {
        connected.addAndGet(change);
    }

    void sockets(int change) {
        sockets.addAndGet(change);
    }

    void waiting(int change) {
        waiting.addAndGet(change);
    }

    void timers(int change) {
        timers.addAndGet(change);
    }

    void silent(int vms) {
        silent.set(vms);
    }

    void dialled() {
        dials.increment();
    }

    void lost() {
        losses.increment();
    }

    void upscaleRequested() {
        upscaleRequests.increment();
    }

    void odd() {
        protocolErrors.increment();
    }

    void called(CallKind kind, CallOutcome outcome, Duration took) {
        calls(kind, outcome).record(took);
    }

    private Timer calls(CallKind kind, CallOutcome outcome) {
        return Timer.builder("sluice.monitor.calls")
                .description("calls to monitors, by kind and outcome")
                .tag("kind", kind.name().toLowerCase(Locale.ROOT))
                .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .register(meters);
    }

    /**
     * A gauge keeps a reference to its first object. So these must be removed before a later verticle registers its
     * own.
     */
    void close() {
        gauges.forEach(meters::remove);
    }
}
