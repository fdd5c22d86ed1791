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

/** What the dispatcher counts. Gauges are written on the verticle's context and read from anywhere. */
final class MonitorMetrics {
    private final MeterRegistry meters;
    private final AtomicInteger attached = new AtomicInteger();
    private final AtomicInteger connected = new AtomicInteger();
    private final AtomicInteger sockets = new AtomicInteger();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger timers = new AtomicInteger();
    private final List<Meter> gauges;
    private final Counter dials;
    private final Counter losses;
    private final Counter cries;
    private final Counter protocolErrors;

    MonitorMetrics(MeterRegistry meters) {
        this.meters = meters;
        this.gauges = List.of(
                gauge("attached", attached, "VMs whose monitor somebody wants a session with"),
                gauge("connected", connected, "VMs whose monitor has answered in its present session"),
                gauge("sockets", sockets, "connections to monitors that are dialled, open or being closed"),
                gauge("waiting", waiting, "questions that a monitor has not answered yet"),
                gauge("timers", timers, "timers set, at most one for each attached VM"));
        this.dials = Counter.builder("sluice.monitor.dials")
                .description("connections begun; beyond the first of each VM they are reconnects")
                .register(meters);
        this.losses = Counter.builder("sluice.monitor.losses")
                .description("attempts and sessions that ended without our wish")
                .register(meters);
        this.cries = Counter.builder("sluice.monitor.cries")
                .description("cries for memory passed on")
                .register(meters);
        this.protocolErrors = Counter.builder("sluice.monitor.protocol.errors")
                .description("answers nobody waited for, and complaints of monitors")
                .register(meters);
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

    void dialled() {
        dials.increment();
    }

    void lost() {
        losses.increment();
    }

    void cried() {
        cries.increment();
    }

    void odd() {
        protocolErrors.increment();
    }

    void called(CallKind kind, CallOutcome outcome, Duration took) {
        Timer.builder("sluice.monitor.calls")
                .description("calls to monitors by what was asked and how it ended")
                .tag("kind", kind.name().toLowerCase(Locale.ROOT))
                .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
                .register(meters)
                .record(took);
    }

    /** A gauge holds on to the first object it was registered with, so a later verticle needs these gone. */
    void close() {
        gauges.forEach(meters::remove);
    }
}
