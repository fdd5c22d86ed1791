package io.sluice.launcher.traces;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.sluice.shell.LogKeys;
import io.sluice.shell.LogThrottle;
import io.sluice.shell.MonotonicClock;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Counts what an exporter exports and fails to export, and logs that at a limited rate. */
final class CountedExporter implements SpanExporter {
    static final String OUTCOME = "outcome";
    static final String DESCRIPTION = "Spans of traces that were exported, or dropped because the receiver did not take"
            + " them or the queue was full";

    private static final Logger LOG = LoggerFactory.getLogger(CountedExporter.class);
    private static final Duration WARNING_EVERY = Duration.ofMinutes(1);

    private final SpanExporter exporter;
    private final Counter exported;
    private final Counter failed;
    private final LogThrottle warning = new LogThrottle(new MonotonicClock(), WARNING_EVERY);

    CountedExporter(SpanExporter exporter, MeterRegistry meters) {
        this.exporter = exporter;
        exported = counter(meters, "exported");
        failed = counter(meters, "failed");
    }

    private static Counter counter(MeterRegistry meters, String outcome) {
        return Counter.builder("sluice.traces.spans")
                .description(DESCRIPTION)
                .tag(OUTCOME, outcome)
                .register(meters);
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
        int count = spans.size();
        var result = exporter.export(spans);
        return result.whenComplete(() -> {
            if (result.isSuccess()) {
                exported.increment(count);
                warning.over(() -> LOG.atInfo().log("Traces are exported again."));
            } else {
                failed.increment(count);
                warn(count, Optional.ofNullable(result.getFailureThrowable()));
            }
        });
    }

    private void warn(int count, Optional<Throwable> cause) {
        warning.happened(
                count,
                dropped -> LOG.atWarn()
                        .addKeyValue(LogKeys.COUNT, dropped)
                        .addKeyValue(
                                LogKeys.ERROR, cause.map(Throwable::toString).orElse("the receiver did not take them"))
                        .log("Spans of traces were dropped: the receiver cannot be reached, or refuses them."));
    }

    @Override
    public CompletableResultCode flush() {
        return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
        return exporter.shutdown();
    }
}
