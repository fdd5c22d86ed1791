package io.sluice.trace;

import java.util.function.Supplier;
import org.slf4j.MDC;

/** The span that the current thread works for. What runs later, such as the handler of a reply, does not inherit it. */
public final class CurrentSpan {
    /** The key of log lines with the trace's id. */
    public static final String TRACE_ID = "trace_id";

    /** The key of log lines with the span's id. */
    public static final String SPAN_ID = "span_id";

    private static final ScopedValue<TraceSpan> CURRENT = ScopedValue.newInstance();

    private CurrentSpan() {}

    /** The current span; {@link TraceSpan#NONE} if there is none. */
    public static TraceSpan get() {
        return CURRENT.isBound() ? CURRENT.get() : TraceSpan.NONE;
    }

    /** Runs a step for a span. Log lines of the step have the ids of the span. */
    public static void during(TraceSpan span, Runnable step) {
        during(span, () -> {
            step.run();
            return span;
        });
    }

    /** Computes a result for a span. Log lines of the step have the ids of the span. */
    public static <T> T during(TraceSpan span, Supplier<T> step) {
        var outer = get();
        if (!span.isRecorded() && !outer.isRecorded()) {
            return step.get();
        }
        log(span);
        try {
            return ScopedValue.where(CURRENT, span).call(step::get);
        } finally {
            log(outer);
        }
    }

    private static void log(TraceSpan span) {
        if (span.isRecorded()) {
            MDC.put(TRACE_ID, span.traceId());
            MDC.put(SPAN_ID, span.spanId());
        } else {
            MDC.remove(TRACE_ID);
            MDC.remove(SPAN_ID);
        }
    }
}
