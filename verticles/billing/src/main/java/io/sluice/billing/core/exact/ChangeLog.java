package io.sluice.billing.core.exact;

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

    private final ObservationContinuity continuity;
    private final MissingKeyDetector<VmId> roll = new MissingKeyDetector<>();
    private final Map<VmId, VmUse> before = new LinkedHashMap<>();
    private final Deque<Change> changes = new ArrayDeque<>();
    private Optional<Instant> since = Optional.empty();
    private long refused;

    /** A change at its arrival; without a use, the VM is gone. */
    private record Change(Instant at, VmId vm, Optional<VmUse> observation) {}

    /** @param staleAfter the silence after which changes count as missed */
    public ChangeLog(Duration staleAfter) {
        this.continuity = new ObservationContinuity(staleAfter);
    }

    /** Adds an observation of a VM. */
    public void observed(VmUse observation, Instant now) {
        roll.named(observation.vm());
        continuity.named(observation.vm());
        if (continuity.isWell()) {
            add(new Change(now, observation.vm(), Optional.of(observation)));
        } else {
            put(observation);
        }
    }

    /** A VM was deleted. */
    public void gone(VmId vm, Instant now) {
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
        continuity.listed(now);
        var gone = roll.listed();
        gone.forEach(vm -> gone(vm, now));
        return gone;
    }

    /** All changes up to now were received, or were lost. */
    public void watched(Instant now) {
        tick(now);
        if (continuity.isCaughtUp()) {
            before.keySet().retainAll(continuity.goOn());
            since = Optional.of(now);
        }
        if (continuity.isWell()) {
            continuity.received(now);
        }
    }

    /** Advances the time. */
    public void tick(Instant now) {
        continuity.notice(now);
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
            collector.missesNothing(received);
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
            collector.watched(from);
        }
        for (var change : changes) {
            var at = UsageMeters.later(change.at(), from);
            change.observation()
                    .ifPresentOrElse(
                            observation -> collector.observed(observation, at), () -> collector.gone(change.vm(), at));
        }
        collector.received(UsageMeters.later(continuity.until().orElse(from), from));
    }
}
