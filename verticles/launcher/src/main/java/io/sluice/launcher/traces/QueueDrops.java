package io.sluice.launcher.traces;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.export.CollectionRegistration;
import io.opentelemetry.sdk.metrics.export.MetricReader;

/** Reads from the library's own metrics how many spans found its queue full. */
final class QueueDrops implements MetricReader {
    private static final String PROCESSED = "processedSpans";
    private static final AttributeKey<Boolean> DROPPED = AttributeKey.booleanKey("dropped");

    private volatile CollectionRegistration source = CollectionRegistration.noop();

    @Override
    public void register(CollectionRegistration registration) {
        source = registration;
    }

    /** The spans dropped since the start. */
    double count() {
        return source.collectAllMetrics().stream()
                .filter(metric -> metric.getName().equals(PROCESSED))
                .flatMap(metric -> metric.getLongSumData().getPoints().stream())
                .filter(point -> Boolean.TRUE.equals(point.getAttributes().get(DROPPED)))
                .mapToLong(LongPointData::getValue)
                .sum();
    }

    @Override
    public AggregationTemporality getAggregationTemporality(InstrumentType type) {
        return AggregationTemporality.CUMULATIVE;
    }

    @Override
    public CompletableResultCode forceFlush() {
        return CompletableResultCode.ofSuccess();
    }

    @Override
    public CompletableResultCode shutdown() {
        return CompletableResultCode.ofSuccess();
    }
}
