package io.sluice.billing;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.VmUse;
import io.sluice.billing.core.exact.ExactCollector;
import io.sluice.billing.core.reference.ReferenceSchedule;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Turns observations of VMs into usage records by one arithmetic. All methods run on one context, with times that never
 * go back.
 */
interface Metering {
    /** {@code cluster.vms-watched} is published once a second. */
    Duration STALE_AFTER = Duration.ofSeconds(5);

    /** Creates the metering of the configured arithmetic, which bills nothing until it leads. */
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

    /** Begins to bill, because this process leads. */
    void lead(TakeOver from, Instant now);

    /** Bills nothing, because another process leads. */
    void standBy();

    void observed(VmUse observation, Instant now);

    void gone(VmId vm, Instant now);

    /** A full list is complete. Returns the VMs that two full lists in a row did not name; they are gone. */
    Set<VmId> listed(Instant now);

    /** Changes of a driver's VMs are received up to now. */
    void watched(String driver, Instant now);

    /** Whether a full list is needed because changes may have been missed since the last one. The call resets it. */
    boolean takeRelistWanted();

    /** Advances the time. */
    void tick(Instant now);

    /** The instant of the next {@link #tick}. */
    Instant nextTick(Instant now);

    /** While the outbox accepts nothing, no window is closed. */
    void hold(boolean holds);

    /** Takes what is to be written next; of several windows the first. Only while this process leads. */
    UsageCommit commit(Instant now);

    /** Whether another commit is ready and can be written at once. */
    boolean hasMore();

    /** Bills the open part of the window, because metering ends in this process. */
    void flush(Instant now);

    /** The present state, for metrics and dumps. */
    Census census();

    /**
     * The state of metering.
     *
     * @param metered number of VMs with a usage meter
     * @param missing why changes of VMs are not received; empty while they are
     * @param refused number of observations refused because there are too many VMs
     * @param givenUp number of usage records and gaps given up because no sink accepted any for too long
     */
    record Census(int metered, String missing, long refused, long givenUp) {
        /** No changes of VMs have been received since the start. */
        static final String RESTART = "restart";

        /** Changes of VMs were received before, and are not any more. */
        static final String WATCH = "watch";

        /** The word for a cause; empty while changes are received. */
        static String missing(Optional<Gap.Cause> cause) {
            return cause.map(known -> switch (known) {
                        case RESTART -> RESTART;
                        case WATCH, LATE -> WATCH;
                    })
                    .orElse("");
        }
    }
}
