package io.sluice.launcher.traces;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.common.Clock;
import io.sluice.trace.TraceSpan;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** A span of OpenTelemetry that is exported. */
final class RecordedSpan implements TraceSpan {
    private final Tracer tracer;
    private final Span span;

    private RecordedSpan(Tracer tracer, Span span) {
        this.tracer = tracer;
        this.span = span;
    }

    /** Starts a span, which records nothing if the sampler does not choose it. */
    static TraceSpan start(Tracer tracer, Context parent, String name, Kind kind, Duration ago) {
        var span = tracer.spanBuilder(name)
                .setParent(parent)
                .setSpanKind(SpanKind.valueOf(kind.name()))
                .setStartTimestamp(before(ago), TimeUnit.NANOSECONDS)
                .startSpan();
        return span.getSpanContext().isSampled() ? new RecordedSpan(tracer, span) : NONE;
    }

    private static long before(Duration ago) {
        return Clock.getDefault().now() - ago.toNanos();
    }

    @Override
    public boolean isRecorded() {
        return true;
    }

    @Override
    public String traceId() {
        return context().getTraceId();
    }

    @Override
    public String spanId() {
        return context().getSpanId();
    }

    @Override
    public String header() {
        return "00-" + traceId() + "-" + spanId() + "-"
                + context().getTraceFlags().asHex();
    }

    private SpanContext context() {
        return span.getSpanContext();
    }

    @Override
    public TraceSpan child(String name, Kind kind, Duration ago) {
        return start(tracer, Context.root().with(span), name, kind, ago);
    }

    @Override
    public TraceSpan set(String key, String value) {
        span.setAttribute(key, value);
        return this;
    }

    @Override
    public TraceSpan set(String key, long value) {
        span.setAttribute(key, value);
        return this;
    }

    @Override
    public TraceSpan failed(String reason) {
        span.setStatus(StatusCode.ERROR, reason);
        return this;
    }

    @Override
    public void end(Duration ago) {
        span.end(before(ago), TimeUnit.NANOSECONDS);
    }
}
