package io.sluice.billing;

import io.sluice.billing.core.DriverContinuity;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.core.VmUse;
import io.sluice.billing.core.exact.MeterEntry;
import io.sluice.billing.core.reference.ReferenceCollector;
import io.sluice.billing.core.reference.ReferenceSchedule;
import io.sluice.shell.MissingKeyDetector;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Meters as the reference does: it samples at an interval, and bills the smaller of two consecutive samples. The open
 * window is lost with the process; at a stop it is billed.
 */
final class ReferenceMetering implements Metering {
    private final ReferenceSchedule schedule;
    private final ReferenceCollector collector;
    private final DriverContinuity continuity;
    private final Supplier<BillingClock.Reading> status;
    private final Map<VmId, VmUse> latest = new HashMap<>();
    private final MissingKeyDetector<VmId> roll = new MissingKeyDetector<>();
    private final List<UsageRecord> due = new ArrayList<>();
    private Map<VmId, MeterEntry> exactEnded = Map.of();
    private boolean leads;
    private Instant nextLook;
    private Instant nextEnd;
    private int metered;
    private boolean held;

    /**
     * Creates a metering without samples.
     *
     * @param status reads the clock for the checkpoint of the next process
     */
    ReferenceMetering(ReferenceSchedule schedule, Duration staleAfter, Supplier<BillingClock.Reading> status) {
        this.schedule = schedule;
        this.continuity = new DriverContinuity(staleAfter);
        this.status = status;
        this.collector = new ReferenceCollector(schedule.firstWindowStart());
        this.nextLook = schedule.lookAfter(schedule.startedAt());
        this.nextEnd = schedule.windowEndAfter(schedule.startedAt());
    }

    /**
     * Usage meters of {@code exact} arithmetic are deleted, because this process bills what they would bill after a
     * change back.
     */
    @Override
    public void lead(TakeOver from, Instant now) {
        leads = true;
        exactEnded = from.here().stream().collect(Collectors.toMap(vm -> vm, vm -> new MeterEntry.Forgotten()));
    }

    @Override
    public void standBy() {
        leads = false;
    }

    @Override
    public void observed(VmUse observation, Instant now) {
        continuity.notice(now);
        roll.named(observation.vm());
        continuity.named(observation.vm(), observation.use().isPresent());
        latest.merge(
                observation.vm(), observation, (before, after) -> after.version() < before.version() ? before : after);
    }

    @Override
    public void gone(VmId vm, Instant now) {
        continuity.notice(now);
        roll.struck(vm);
        continuity.struck(vm);
        latest.remove(vm);
    }

    @Override
    public Set<VmId> listed(Instant now) {
        continuity.notice(now);
        continuity.listed(now);
        continuity.abandoned(now).forEach(driver -> {
            keep(driver, Set.of());
            continuity.abandon(driver, now);
        });
        var gone = roll.listed();
        gone.forEach(latest::remove);
        return gone;
    }

    @Override
    public void watched(String driver, Instant now) {
        if (continuity.watched(driver, now)) {
            keep(driver, continuity.goOn(driver));
        }
        continuity.received(driver, now);
    }

    /** Nothing is known of a driver's VM that the full list after a silence does not name. */
    private void keep(String driver, Set<VmId> there) {
        latest.keySet().removeIf(vm -> vm.driver().equals(driver) && !there.contains(vm));
    }

    @Override
    public boolean takeRelistWanted() {
        return continuity.takeRelistWanted();
    }

    @Override
    public void tick(Instant now) {
        continuity.notice(now);
        if (!now.isBefore(nextLook)) {
            collector.sample(now, present(now));
            nextLook = schedule.lookAfter(now);
        }
        if (!now.isBefore(nextEnd) && !held) {
            due.addAll(collector.push(now));
            nextEnd = schedule.windowEndAfter(now);
        }
    }

    /** While changes of a driver's VMs are missed, a sample contains none of them. */
    private Map<MeterKey, Long> present(Instant now) {
        var present = new HashMap<MeterKey, Long>();
        if (leads) {
            latest.values().stream()
                    .filter(observation -> continuity.isWell(observation.vm().driver()))
                    .forEach(observation -> observation
                            .use()
                            .ifPresent(use ->
                                    present.put(new MeterKey(observation.vm(), use.endpoint()), use.milliCpu())));
        }
        metered = present.size();
        return present;
    }

    @Override
    public Instant nextTick(Instant now) {
        return nextLook.isBefore(nextEnd) || held ? nextLook : nextEnd;
    }

    @Override
    public void hold(boolean holds) {
        held = holds;
    }

    @Override
    public UsageCommit commit(Instant now) {
        var charges = List.copyOf(due);
        due.clear();
        var checkpoints = UsageCheckpoint.write(status.get(), Optional.empty(), Optional.empty(), exactEnded);
        exactEnded = Map.of();
        return new UsageCommit(charges, List.of(), checkpoints);
    }

    @Override
    public boolean hasMore() {
        return false;
    }

    @Override
    public void flush(Instant now) {
        continuity.notice(now);
        collector.sample(now, present(now));
        due.addAll(collector.flush(now));
    }

    @Override
    public Census census() {
        return new Census(metered, Census.missing(continuity.missing()), 0, 0);
    }
}
