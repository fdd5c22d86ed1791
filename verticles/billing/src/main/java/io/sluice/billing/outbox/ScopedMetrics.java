package io.sluice.billing.outbox;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;

/**
 * Metrics that are removed together with their owner. A registry keeps the first metric of each name, so a verticle
 * that is deployed again would otherwise show the values of the one before it for ever.
 */
public final class ScopedMetrics implements AutoCloseable {
    private final MeterRegistry registry;
    private final List<Meter> registered = new ArrayList<>();

    /** Creates an empty set. */
    public ScopedMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** The registry of the metrics. */
    public MeterRegistry registry() {
        return registry;
    }

    /** Adds a metric that was registered there. */
    public void add(Meter meter) {
        registered.add(meter);
    }

    @Override
    public void close() {
        registered.forEach(registry::remove);
        registered.clear();
    }
}
