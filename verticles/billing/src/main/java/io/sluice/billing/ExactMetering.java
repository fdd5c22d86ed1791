package io.sluice.billing;

import io.sluice.billing.core.VmUse;
import io.sluice.billing.core.exact.ExactCollector;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Meters the integral of use, and writes checkpoints of its usage meters. */
final class ExactMetering implements Metering {
    private final ExactCollector collector;
    private final Duration every;
    private final Supplier<BillingClock.Reading> status;

    /**
     * @param status reads the clock when a checkpoint is written; time that passes between the reading and the write is
     *     lost to the next process
     */
    ExactMetering(ExactCollector collector, Duration every, Supplier<BillingClock.Reading> status) {
        this.collector = collector;
        this.every = every;
        this.status = status;
    }

    @Override
    public void observed(VmUse observation, Instant now) {
        collector.observed(observation, now);
    }

    @Override
    public void gone(VmId vm, Instant now) {
        collector.gone(vm, now);
    }

    @Override
    public Set<VmId> listed(Instant now) {
        return collector.listed(now);
    }

    @Override
    public void watched(Instant now) {
        collector.watched(now);
    }

    @Override
    public boolean takeRelistWanted() {
        return collector.takeRelistWanted();
    }

    @Override
    public void tick(Instant now) {
        collector.tick(now);
    }

    @Override
    public Instant nextTick(Instant now) {
        return now.plus(every);
    }

    @Override
    public void hold(boolean holds) {
        collector.hold(holds);
    }

    @Override
    public UsageCommit commit(Instant now) {
        var portion = collector.take();
        var checkpoints = UsageCheckpoint.write(
                status.get(),
                portion.receivedUntil(),
                Optional.of(portion.windowStart()),
                new UsageCheckpoint.Author(collector.signOfLife(now).name(), portion.settled()),
                portion.changed(),
                portion.inheritedGaps());
        return new UsageCommit(portion.charges(), portion.gaps(), checkpoints);
    }

    @Override
    public Map<String, byte[]> signOfLife(Instant now) {
        var sign = collector.signOfLife(now);
        // A process that bills alone writes no sign of life. The process after it goes by the usage meters.
        return sign.name().isEmpty() ? Map.of() : UsageCheckpoint.alive(sign);
    }

    @Override
    public boolean hasMore() {
        return collector.hasMore();
    }

    @Override
    public void flush(Instant now) {
        collector.flush(now);
    }

    @Override
    public Census census() {
        var missing = collector
                .missing()
                .map(cause -> switch (cause) {
                    case RESTART -> Census.RESTART;
                    case WATCH -> Census.WATCH;
                })
                .orElse("");
        return new Census(collector.metered(), missing, collector.refused(), collector.givenUp());
    }
}
