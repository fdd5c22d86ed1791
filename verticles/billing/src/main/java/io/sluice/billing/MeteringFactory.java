package io.sluice.billing;

import io.sluice.billing.core.exact.ExactCollector;
import io.sluice.billing.core.reference.ReferenceSchedule;
import java.time.Duration;

/** Creates the metering of a process by the configured arithmetic. */
final class MeteringFactory {
    /** {@code cluster.vms-watched} is published once a second. */
    private static final Duration STALE_AFTER = Duration.ofSeconds(5);

    private MeteringFactory() {}

    /** Creates a metering that bills nothing until it leads. */
    static Metering of(BillingConfig config, BillingClock clock, MachineClock machine) {
        return switch (config.arithmetic()) {
            case EXACT ->
                new ExactMetering(
                        new ExactCollector.Options(config.accumulateEvery(), STALE_AFTER),
                        config.collectEvery(),
                        () -> machine.status(clock));
            case REFERENCE ->
                new ReferenceMetering(
                        new ReferenceSchedule(clock.instant(), config.collectEvery(), config.accumulateEvery()),
                        STALE_AFTER,
                        () -> machine.status(clock));
        };
    }
}
