package io.sluice.billing;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.VmUse;
import io.sluice.billing.core.exact.BoundedCheckpoint;
import io.sluice.billing.core.exact.ChangeLog;
import io.sluice.billing.core.exact.ExactCollector;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

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
    private List<Gap> unreported = List.of();

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
    public void lead(TakeOver from, Instant now) {
        var last = from.last().collector();
        var checkpoint = from.isUncertain() ? bounded(last, now) : last;
        if (checkpoint.isEmpty()) {
            waiting.leaveOut(now.minus(from.took()));
        }
        var collector = waiting.lead(options, checkpoint, now);
        collector.forget(from.here());
        leading = Optional.of(collector);
        waiting = new ChangeLog(options.staleAfter());
    }

    private Optional<ExactCollector.Checkpoint> bounded(Optional<ExactCollector.Checkpoint> last, Instant now) {
        return last.map(checkpoint -> {
            var bounded = BoundedCheckpoint.of(checkpoint, options, now);
            unreported = bounded.gaps();
            if (bounded.isCut()) {
                // The log does not name VMs that ended before the bound; the next full list decides.
                waiting = new ChangeLog(options.staleAfter());
            }
            return bounded.checkpoint();
        });
    }

    @Override
    public void standBy() {
        unreported = List.of();
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
        var gaps = Stream.concat(unreported.stream(), commit.gaps().stream()).toList();
        unreported = List.of();
        return new UsageCommit(commit.charges(), gaps, checkpoints);
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
