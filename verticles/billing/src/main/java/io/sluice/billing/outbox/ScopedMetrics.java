package io.sluice.billing.outbox;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;

/**
 * Meters that end with whoever registered them. A registry keeps the first of each name: a verticle that is deployed
 * again would show for ever how the one before it stood.
 */
public final class ScopedMetrics implements AutoCloseable {
    private final MeterRegistry registry;
    private final List<Meter> registered = new ArrayList<>();

    /** None yet. */
    public ScopedMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Where they are registered. */
    public MeterRegistry registry() {
        return registry;
    }

    /** That one, which was registered there, is to end too. */
    public void add(Meter meter) {
        registered.add(meter);
    }

    @Override
    public void close() {
        registered.forEach(registry::remove);
        registered.clear();
    }
}
