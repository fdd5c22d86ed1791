package io.sluice.billing.core.exact;

import io.sluice.billing.core.DriverContinuity;
import io.sluice.billing.core.Gap;
import io.sluice.billing.core.VmUse;
import io.sluice.shell.MissingKeyDetector;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a process that does not lead has received: the last observation of each VM, and the changes of the last minutes.
 * A new leader replays them from the checkpoint of the leader before it, so that nothing is a gap that it received.
 * Used by one thread, with times that never go back.
 */
public final class ChangeLog {
    /** More changes are dropped, the earliest first. */
    static final int CHANGES_MOST = 200_000;

    /** A leader writes checkpoints much more often. */
    static final Duration KEPT = Duration.ofMinutes(10);

    private final DriverContinuity continuity;
    private final MissingKeyDetector<VmId> roll = new MissingKeyDetector<>();
    private final Map<VmId, VmUse> before = new LinkedHashMap<>();
    private final Deque<Change> changes = new ArrayDeque<>();
    private Optional<Instant> since = Optional.empty();
    private long refused;

    /** A change at its arrival; without a use, the VM is gone. */
    private record Change(Instant at, VmId vm, Optional<VmUse> observation) {}

    /** @param staleAfter the silence after which changes count as missed */
    public ChangeLog(Duration staleAfter) {
        this.continuity = new DriverContinuity(staleAfter);
    }

    /** Adds an observation of a VM. */
    public void observed(VmUse observation, Instant now) {
        continuity.notice(now);
        roll.named(observation.vm());
        continuity.named(observation.vm(), observation.use().isPresent());
        forgetUnlessWell();
        if (continuity.isWell()) {
            add(new Change(now, observation.vm(), Optional.of(observation)));
        } else {
            put(observation);
        }
    }

    /** A VM was deleted. */
    public void gone(VmId vm, Instant now) {
        tick(now);
        roll.struck(vm);
        continuity.struck(vm);
        if (continuity.isWell()) {
            add(new Change(now, vm, Optional.empty()));
        } else {
            before.remove(vm);
        }
    }

    private void add(Change change) {
        changes.addLast(change);
        drop(change.at().minus(KEPT));
    }

    private void drop(Instant until) {
        while (!changes.isEmpty()
                && (changes.size() > CHANGES_MOST || changes.getFirst().at().isBefore(until))) {
            var first = changes.removeFirst();
            first.observation().ifPresentOrElse(this::put, () -> before.remove(first.vm()));
            since = Optional.of(first.at());
        }
    }

    private void put(VmUse observation) {
        if (before.size() >= ExactCollector.VMS_MOST && !before.containsKey(observation.vm())) {
            refused++;
        } else {
            before.merge(observation.vm(), observation, (one, next) -> next.version() < one.version() ? one : next);
        }
    }

    /** A full list is complete. Returns the VMs that two full lists in a row did not name; they are gone. */
    public Set<VmId> listed(Instant now) {
        tick(now);
        continuity.listed(now);
        continuity.abandoned(now).forEach(driver -> {
            before.keySet().removeIf(vm -> vm.driver().equals(driver));
            continuity.abandon(driver, now);
        });
        var gone = roll.listed();
        gone.forEach(vm -> gone(vm, now));
        return gone;
    }

    /** All changes of a driver's VMs up to now were received, or were lost. */
    public void watched(String driver, Instant now) {
        boolean isCaughtUp = continuity.watched(driver, now);
        tick(now);
        if (isCaughtUp) {
            var there = continuity.goOn(driver);
            before.keySet().removeIf(vm -> vm.driver().equals(driver) && !there.contains(vm));
        }
        continuity.received(driver, now);
        if (continuity.isWell() && since.isEmpty()) {
            since = Optional.of(now);
        }
    }

    /** Advances the time. */
    public void tick(Instant now) {
        continuity.notice(now);
        forgetUnlessWell();
    }

    /** Changes are replayed only where none was missed; otherwise the last observation of each VM is kept. */
    private void forgetUnlessWell() {
        if (!continuity.isWell() && since.isPresent()) {
            changes.forEach(change -> change.observation().ifPresent(this::put));
            changes.clear();
            since = Optional.empty();
        }
    }

    /** Whether a full list is needed because changes may have been missed since the last one. The call resets it. */
    public boolean takeRelistWanted() {
        return continuity.takeRelistWanted();
    }

    /** Another process has billed what was used until then. */
    public void leaveOut(Instant until) {
        since = since.map(begun -> UsageMeters.later(begun, until));
    }

    /** Why changes are not received; empty while they are. */
    public Optional<Gap.Cause> missing() {
        return continuity.missing();
    }

    /** The number of observations refused because there are too many VMs. */
    public long refused() {
        return refused;
    }

    /**
     * Returns a collector that continues from a checkpoint, and has received what this log has.
     *
     * @param checkpoint the checkpoint of the last leader; empty if there was none
     */
    public ExactCollector lead(
            ExactCollector.Options options, Optional<ExactCollector.Checkpoint> checkpoint, Instant now) {
        var begin = since.orElse(now);
        var collector = checkpoint
                .map(last -> ExactCollector.resume(options, last, begin))
                .orElseGet(() -> new ExactCollector(options, begin));
        if (since.isEmpty()) {
            collector.requestRelist();
            return collector;
        }
        var from =
                checkpoint.map(ExactCollector.Checkpoint::receivedUntil).filter(received -> !begin.isAfter(received));
        from.ifPresent(received -> {
            collector.missesNothing(continuity.drivers(), received);
            // The checkpoint knows of these changes, and does not name usage meters that they ended any more.
            drop(received.minus(ChangedMeters.ENDS_KEPT.dividedBy(2)));
        });
        replay(collector, from.orElse(begin), from.isEmpty());
        return collector;
    }

    private void replay(ExactCollector collector, Instant from, boolean missed) {
        before.values().forEach(observation -> collector.observed(observation, from));
        if (missed) {
            collector.listed(from);
            continuity.drivers().forEach(driver -> collector.watched(driver, from));
        }
        for (var change : changes) {
            var at = UsageMeters.later(change.at(), from);
            collector.received(at);
            change.observation()
                    .ifPresentOrElse(
                            observation -> collector.observed(observation, at), () -> collector.gone(change.vm(), at));
        }
        collector.received(UsageMeters.later(continuity.until().orElse(from), from));
    }
}
