package io.sluice.launcher.traces;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.tracer.common.SpanContext;
import io.sluice.bus.Bus;
import io.sluice.shell.config.ConfigException;
import io.sluice.trace.CurrentSpan;
import io.sluice.trace.Tracer;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;

/** Traces of one process, off unless OpenTelemetry's environment variables switch them on. */
public final class Traces {
    private static final Duration FLUSH_MAX = Duration.ofSeconds(2);

    private final TraceVariables variables;
    private final boolean on;
    private Optional<TraceRecorder> recorder = Optional.empty();

    /**
     * Reads the variables; nothing starts yet.
     *
     * @throws ConfigException for a value that this program cannot serve
     */
    public Traces(Map<String, String> environment) {
        variables = new TraceVariables(environment);
        on = variables.on();
    }

    /** A registry whose histograms have the traces of their values as exemplars. */
    public PrometheusMeterRegistry registry() {
        return on
                ? new PrometheusMeterRegistry(
                        new WithExemplars(), new PrometheusRegistry(), Clock.SYSTEM, new Exemplars())
                : new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    }

    /**
     * Starts the export.
     *
     * @param version of this program
     * @throws ConfigException for a variable that OpenTelemetry's library refuses
     */
    public Tracer start(String version, MeterRegistry meters) {
        if (!on) {
            return Tracer.NONE;
        }
        var started = new TraceRecorder(variables, version, meters);
        recorder = Optional.of(started);
        return started;
    }

    /** Requests on this Vert.x's bus are steps of the traces of their senders from now on. */
    public void recordOn(Vertx vertx) {
        new Bus(vertx).traceWith(recorder.<Tracer>map(started -> started).orElse(Tracer.NONE));
    }

    /** Exports what is queued, for that long and two seconds at most, and ends. */
    public void close(Duration atMost) {
        recorder.ifPresent(started -> started.close(atMost.compareTo(FLUSH_MAX) < 0 ? atMost : FLUSH_MAX));
    }

    /** Prometheus refuses a scrape that has exemplars elsewhere than at buckets and counters. */
    private static final class WithExemplars implements PrometheusConfig {
        @Override
        public String get(String key) {
            return null;
        }

        @Override
        public Properties prometheusProperties() {
            return new Properties();
        }
    }

    /** The current span, as exemplars need it. */
    private static final class Exemplars implements SpanContext {
        @Override
        public String getCurrentTraceId() {
            return CurrentSpan.get().traceId();
        }

        @Override
        public String getCurrentSpanId() {
            return CurrentSpan.get().spanId();
        }

        @Override
        public boolean isCurrentSpanSampled() {
            return CurrentSpan.get().isRecorded();
        }

        @Override
        public void markCurrentSpanAsExemplar() {
            // Every span that is recorded is exported anyway.
        }
    }
}
