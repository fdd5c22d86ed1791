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

/** Meters the integral of use, and writes its meters down. */
final class ExactMetering implements Metering {
    private final ExactCollector collector;
    private final Duration every;
    private final Supplier<BillingClock.Standing> standing;

    /**
     * @param standing where the clock stands, read just then: what passes until it is read is lost to the next process
     */
    ExactMetering(ExactCollector collector, Duration every, Supplier<BillingClock.Standing> standing) {
        this.collector = collector;
        this.every = every;
        this.standing = standing;
    }

    @Override
    public void seen(VmUse fact, Instant now) {
        collector.seen(fact, now);
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
    public boolean takeWantsListing() {
        return collector.takeWantsListing();
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
    public UsageCommit harvest(Instant now) {
        var portion = collector.take();
        var notes = UsageCheckpoint.write(
                standing.get(),
                portion.heardUntil(),
                Optional.of(portion.windowStart()),
                new UsageCheckpoint.Author(collector.signOfLife(now).name(), portion.settled()),
                portion.changed(),
                portion.doubts());
        return new UsageCommit(portion.charges(), portion.gaps(), notes);
    }

    @Override
    public Map<String, byte[]> signOfLife(Instant now) {
        var sign = collector.signOfLife(now);
        // Who bills alone leaves nothing to others, and whoever goes on after it goes by the meters.
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
