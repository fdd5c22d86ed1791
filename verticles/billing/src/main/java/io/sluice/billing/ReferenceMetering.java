package io.sluice.billing;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import io.sluice.billing.core.VmUse;
import io.sluice.billing.core.exact.UsageMeterState;
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
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Meters as the reference does: looks now and then, and bills between two looks the lesser of what both saw. What is
 * held in a window is lost with the process; at a stop it is billed.
 */
final class ReferenceMetering implements Metering {
    private final ReferenceSchedule schedule;
    private final ReferenceCollector collector;
    private final Duration staleAfter;
    private final Predicate<VmId> mine;
    private final Supplier<BillingClock.Standing> standing;
    private final Map<VmId, VmUse> latest = new HashMap<>();
    private final MissingKeyDetector<VmId> roll = new MissingKeyDetector<>();
    private final List<UsageRecord> due = new ArrayList<>();
    private Map<VmId, Optional<UsageMeterState>> exactEnded;
    private Optional<List<Gap>> exactDoubts = Optional.of(List.of());
    private Instant heardUntil = Instant.MIN;
    private Instant nextLook;
    private Instant nextEnd;
    private String missing = Census.RESTART;
    private boolean wantsListing;
    private boolean listed;
    private int metered;
    private boolean held;

    /**
     * One that has not looked yet.
     *
     * @param exact meters of a process before this one, which nobody reads any more: what they would bill when the
     *     arithmetic is exact again, is billed here
     * @param standing where the clock stands at an instant of it, as the next process needs it
     */
    ReferenceMetering(
            ReferenceSchedule schedule,
            Duration staleAfter,
            Predicate<VmId> mine,
            List<UsageMeterState> exact,
            Supplier<BillingClock.Standing> standing) {
        this.schedule = schedule;
        this.staleAfter = staleAfter;
        this.mine = mine;
        this.standing = standing;
        this.exactEnded =
                exact.stream().collect(Collectors.toMap(state -> state.key().vm(), state -> Optional.empty()));
        this.collector = new ReferenceCollector(schedule.firstWindowStart());
        this.nextLook = schedule.lookAfter(schedule.startedAt());
        this.nextEnd = schedule.windowEndAfter(schedule.startedAt());
    }

    @Override
    public void seen(VmUse fact, Instant now) {
        roll.named(fact.vm());
        latest.merge(fact.vm(), fact, (before, after) -> after.version() < before.version() ? before : after);
    }

    @Override
    public void gone(VmId vm, Instant now) {
        roll.struck(vm);
        latest.remove(vm);
    }

    @Override
    public Set<VmId> listed(Instant now) {
        listed = true;
        var gone = roll.listed();
        gone.forEach(latest::remove);
        return gone;
    }

    @Override
    public void watched(Instant now) {
        heardUntil = now;
    }

    @Override
    public boolean takeWantsListing() {
        boolean wants = wantsListing;
        wantsListing = false;
        return wants;
    }

    @Override
    public void tick(Instant now) {
        notice(now);
        if (!now.isBefore(nextLook)) {
            collector.sample(now, present(now));
            nextLook = schedule.lookAfter(now);
        }
        if (!now.isBefore(nextEnd) && !held) {
            due.addAll(collector.push(now));
            nextEnd = schedule.windowEndAfter(now);
        }
    }

    /** What was said in a silence may be lost: only a listing tells what has changed. */
    private void notice(Instant now) {
        if (missing.isEmpty() && isStale(now)) {
            missing = Census.WATCH;
            listed = false;
            wantsListing = true;
        } else if (listed && !isStale(now)) {
            missing = "";
        }
    }

    /** While changes are missed nobody is seen. */
    private Map<MeterKey, Long> present(Instant now) {
        var present = new HashMap<MeterKey, Long>();
        if (missing.isEmpty()) {
            latest.values().stream()
                    .filter(fact -> mine.test(fact.vm()))
                    .forEach(fact -> fact.use()
                            .ifPresent(use -> present.put(new MeterKey(fact.vm(), use.endpoint()), use.milliCpu())));
        }
        metered = present.size();
        return present;
    }

    private boolean isStale(Instant now) {
        return heardUntil.equals(Instant.MIN)
                || Duration.between(heardUntil, now).compareTo(staleAfter) > 0;
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
    public UsageCommit harvest(Instant now) {
        var charges = List.copyOf(due);
        due.clear();
        var notes = UsageCheckpoint.write(
                standing.get(),
                Optional.empty(),
                Optional.empty(),
                UsageCheckpoint.Author.ALONE,
                exactEnded,
                exactDoubts);
        exactEnded = Map.of();
        exactDoubts = Optional.empty();
        return new UsageCommit(charges, List.of(), notes);
    }

    @Override
    public Map<String, byte[]> signOfLife(Instant now) {
        return Map.of();
    }

    @Override
    public boolean hasMore() {
        return false;
    }

    @Override
    public void flush(Instant now) {
        notice(now);
        collector.sample(now, present(now));
        due.addAll(collector.flush(now));
    }

    @Override
    public Census census() {
        return new Census(metered, missing, 0, 0);
    }
}
