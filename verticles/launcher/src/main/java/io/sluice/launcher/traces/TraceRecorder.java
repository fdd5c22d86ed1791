package io.sluice.launcher.traces;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.sluice.shell.config.ConfigException;
import io.sluice.trace.TraceSpan;
import io.sluice.trace.Tracer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;

/**
 * Records traces with OpenTelemetry's library and exports them in the background, from a bounded queue: what does not
 * fit is dropped and counted.
 */
final class TraceRecorder implements Tracer {
    private static final Pattern HEADER = Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");

    /** The library would write to the standard error by itself; {@link CountedExporter} logs what fails. */
    private static final Logger OWN_LOG = Logger.getLogger("io.opentelemetry");

    static {
        OWN_LOG.setLevel(Level.OFF);
    }

    private final SdkTracerProvider provider;
    private final io.opentelemetry.api.trace.Tracer tracer;
    private final double share;

    /**
     * Starts the export.
     *
     * @param version of this program
     * @throws ConfigException for a variable that the library refuses
     */
    TraceRecorder(TraceVariables variables, String version, MeterRegistry meters) {
        var drops = new QueueDrops();
        share = variables.share();
        try {
            var sdk = AutoConfiguredOpenTelemetrySdk.builder()
                    .disableShutdownHook()
                    .addPropertiesCustomizer(environment -> variables.properties())
                    .addResourceCustomizer(
                            (resource, properties) -> process(version).merge(resource))
                    .addMeterProviderCustomizer((builder, properties) -> builder.registerMetricReader(drops))
                    .addSpanExporterCustomizer((exporter, properties) -> new CountedExporter(exporter, meters))
                    .build()
                    .getOpenTelemetrySdk();
            provider = sdk.getSdkTracerProvider();
        } catch (ConfigurationException | IllegalArgumentException refused) {
            throw new ConfigException(List.of("the environment of OpenTelemetry: " + refused.getMessage()));
        }
        tracer = provider.get("io.sluice", version);
        FunctionCounter.builder("sluice.traces.spans", drops, QueueDrops::count)
                .description(CountedExporter.DESCRIPTION)
                .tag(CountedExporter.OUTCOME, "queue_full")
                .register(meters);
    }

    /** What distinguishes the process, unless the variables say otherwise. */
    private static Resource process(String version) {
        return Resource.builder()
                .put("service.version", version.isEmpty() ? "unknown" : version)
                .put("service.instance.id", UUID.randomUUID().toString())
                .build();
    }

    @Override
    public boolean isOn() {
        return true;
    }

    @Override
    public TraceSpan begin(String name, TraceSpan.Kind kind, Duration ago) {
        return share < 1 && ThreadLocalRandom.current().nextDouble() >= share
                ? TraceSpan.NONE
                : RecordedSpan.start(tracer, Context.root(), name, kind, ago);
    }

    @Override
    public TraceSpan continued(String header, String name, TraceSpan.Kind kind) {
        var parts = HEADER.matcher(header);
        if (!parts.matches()) {
            return TraceSpan.NONE;
        }
        var sender = SpanContext.createFromRemoteParent(
                parts.group(1), parts.group(2), TraceFlags.fromHex(parts.group(3), 0), TraceState.getDefault());
        var parent = Context.root().with(Span.wrap(sender));
        return sender.isValid() ? RecordedSpan.start(tracer, parent, name, kind, Duration.ZERO) : TraceSpan.NONE;
    }

    /** Exports what is queued, for that long at most. */
    void close(Duration atMost) {
        provider.shutdown().join(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }
}
