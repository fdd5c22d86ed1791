package io.sluice.neonvm.lease;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Metrics of the Lease: whether the process holds it, and the outcomes of its requests. All of them exist from the
 * start, also in a process that needs no Lease. Safe from any thread.
 */
public final class LeaseMetrics {
    private final Counter renewed;
    private final Counter failed;
    private volatile Optional<BooleanSupplier> held = Optional.empty();

    /** For a process that does not try to take the Lease yet. */
    public LeaseMetrics(MeterRegistry meters) {
        this(meters, "sluice.lease");
    }

    /** @param prefix of the metrics' names */
    public LeaseMetrics(MeterRegistry meters, String prefix) {
        Gauge.builder(prefix + ".wanted", () -> number(held.isPresent()))
                .description("Whether this process must hold the lease of the Kubernetes cluster before it serves it.")
                .register(meters);
        Gauge.builder(prefix + ".held", () -> number(isHeld()))
                .description("Whether this process holds the lease, and may rely on it.")
                .register(meters);
        renewed = tries(meters, prefix, "renewed");
        failed = tries(meters, prefix, "failed");
    }

    private static Counter tries(MeterRegistry meters, String prefix, String outcome) {
        return Counter.builder(prefix + ".tries")
                .description("Requests about the lease: renewals that were accepted, and all that failed.")
                .tag("outcome", outcome)
                .register(meters);
    }

    private static int number(boolean flag) {
        return flag ? 1 : 0;
    }

    private boolean isHeld() {
        return held.filter(BooleanSupplier::getAsBoolean).isPresent();
    }

    /** @param isHeld whether the Lease may be relied on now */
    void sought(BooleanSupplier isHeld) {
        held = Optional.of(isHeld);
    }

    void renewed() {
        renewed.increment();
    }

    void failed() {
        failed.increment();
    }
}
