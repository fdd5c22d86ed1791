package io.sluice.billing;

import io.sluice.billing.core.VmUse;
import io.sluice.billing.core.exact.ChangeLog;
import io.sluice.billing.core.exact.ExactCollector;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Meters the integral of use while this process leads, and writes checkpoints of its usage meters. Until then it keeps
 * the changes for the time when it leads.
 */
final class ExactMetering implements Metering {
    private final ExactCollector.Options options;
    private final Duration every;
    private final Supplier<BillingClock.Reading> status;
    private ChangeLog waiting;
    private Optional<ExactCollector> leading = Optional.empty();

    /**
     * @param status reads the clock when a checkpoint is written; time that passes between the reading and the write is
     *     lost to the next process
     */
    ExactMetering(ExactCollector.Options options, Duration every, Supplier<BillingClock.Reading> status) {
        this.options = options;
        this.every = every;
        this.status = status;
        this.waiting = new ChangeLog(options.staleAfter());
    }

    @Override
    public void lead(UsageCheckpoint.Read last, Collection<VmId> here, Instant now) {
        var collector = waiting.lead(options, last.collector(), now);
        collector.forget(here);
        leading = Optional.of(collector);
        waiting = new ChangeLog(options.staleAfter());
    }

    @Override
    public void standBy() {
        leading = Optional.empty();
        waiting = new ChangeLog(options.staleAfter());
    }

    @Override
    public void observed(VmUse observation, Instant now) {
        leading.ifPresentOrElse(
                collector -> collector.observed(observation, now), () -> waiting.observed(observation, now));
    }

    @Override
    public void gone(VmId vm, Instant now) {
        leading.ifPresentOrElse(collector -> collector.gone(vm, now), () -> waiting.gone(vm, now));
    }

    @Override
    public Set<VmId> listed(Instant now) {
        return leading.map(collector -> collector.listed(now)).orElseGet(() -> waiting.listed(now));
    }

    @Override
    public void watched(String driver, Instant now) {
        leading.ifPresentOrElse(collector -> collector.watched(driver, now), () -> waiting.watched(driver, now));
    }

    @Override
    public boolean takeRelistWanted() {
        return leading.map(ExactCollector::takeRelistWanted).orElseGet(waiting::takeRelistWanted);
    }

    @Override
    public void tick(Instant now) {
        leading.ifPresentOrElse(collector -> collector.tick(now), () -> waiting.tick(now));
    }

    @Override
    public Instant nextTick(Instant now) {
        return now.plus(every);
    }

    @Override
    public void hold(boolean holds) {
        leading.ifPresent(collector -> collector.hold(holds));
    }

    @Override
    public UsageCommit commit(Instant now) {
        var commit = leading.orElseThrow().take();
        var checkpoints = UsageCheckpoint.write(
                status.get(), commit.receivedUntil(), Optional.of(commit.windowStart()), commit.changed());
        return new UsageCommit(commit.charges(), commit.gaps(), checkpoints);
    }

    @Override
    public boolean hasMore() {
        return leading.filter(ExactCollector::hasMore).isPresent();
    }

    @Override
    public void flush(Instant now) {
        leading.ifPresent(collector -> collector.flush(now));
    }

    @Override
    public Census census() {
        var missing = Census.missing(leading.map(ExactCollector::missing).orElseGet(waiting::missing));
        return leading.map(
                        collector -> new Census(collector.metered(), missing, collector.refused(), collector.givenUp()))
                .orElseGet(() -> new Census(0, missing, waiting.refused(), 0));
    }
}
