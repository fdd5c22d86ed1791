package io.sluice.agent.core.revision;

import io.sluice.agent.core.revision.Latency.Stage;
import io.sluice.units.Resources;
import io.sluice.units.Revision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Numbers a VM's goals, follows each number on its way through the parties, and measures how long it took. No resource
 * or wait depends on it, except that a status which shows a patch's own revision proves that patch applied.
 *
 * <p>In the reference, one goal's value serves for all its patches. Where a patch needs a <em>revision of its own</em>,
 * the goal's value is used for its first patch and a value beyond all others for each further one, so that values of
 * patches always grow and a value that the status already shows is never used again. A value is used up only when a
 * patch is started: two offers without a start have the same value.
 */
public final class RevisionTracker {
    private static final int MOST_IN_FLIGHT = 100;
    private static final int MOST_LATENCIES = 1_000;

    private record Drawn(long value, Instant at) {}

    private final Deque<Drawn> inFlight = new ArrayDeque<>();
    private final Deque<Latency> latencies = new ArrayDeque<>();
    private long lastValue;
    private long lastPatch;
    private long shown;
    private Revision target = Revision.ZERO;
    private Optional<Resources> lastDesired = Optional.empty();
    private Revision schedulerRevision = Revision.ZERO;
    private Revision monitorRevision = Revision.ZERO;
    private ActionRevision patchTarget = new ActionRevision(Revision.ZERO, Instant.EPOCH);
    private Revision patchServes = Revision.ZERO;
    private long patchConfirmed;

    public RevisionTracker(Optional<ReachedRevision> current) {
        lastValue = current.map(reached -> reached.revision().value()).orElse(0L);
        lastPatch = lastValue;
        shown = lastValue;
    }

    /** Records the desired size of a query; a change of it draws the next value. */
    public Revision wanted(Resources desired, Resources using, Instant now) {
        Resources before = lastDesired.orElse(using);
        if (!desired.equals(before)) {
            long flags = (desired.exceeds(before) ? Revision.UP : 0) | (before.exceeds(desired) ? Revision.DOWN : 0);
            target = new Revision(lastValue + 1, flags);
            draw(target.value(), now);
        }
        lastDesired = Optional.of(desired);
        return target;
    }

    private void draw(long value, Instant at) {
        lastValue = value;
        inFlight.addLast(new Drawn(value, at));
        if (inFlight.size() > MOST_IN_FLIGHT) {
            inFlight.removeFirst();
        }
    }

    /**
     * The goal that a patch serves: the newest one that the parties that must agree have replied to, the monitor for a
     * decrease, the scheduler for an increase.
     */
    public Revision servedBy(Resources desired, Resources using) {
        Revision served = target;
        if (using.exceeds(desired)) {
            served = olderOf(served, monitorRevision);
        }
        return desired.exceeds(using) ? olderOf(served, schedulerRevision) : served;
    }

    private static Revision olderOf(Revision revision, Revision known) {
        return known.value() > 0 && known.value() <= revision.value() ? known : revision;
    }

    /** A revision for a patch that no other patch carries, and that the status does not show yet. */
    public Revision own(Revision served) {
        long taken = Math.max(lastPatch, shown);
        return served.value() > taken ? served : new Revision(Math.max(lastValue, taken) + 1, served.flags());
    }

    public void patchOffered(ActionRevision revision, Revision serves) {
        patchTarget = revision;
        patchServes = serves;
    }

    /** A patch's own value counts for its goal: once the status shows it, the goal's latency is known. */
    public void patchStarted(Revision revision) {
        lastPatch = Math.max(lastPatch, revision.value());
        if (revision.value() > lastValue) {
            lastValue = revision.value();
            inFlight.stream()
                    .filter(drawn -> drawn.value() == patchServes.value())
                    .findFirst()
                    .ifPresent(drawn -> draw(revision.value(), drawn.at()));
        }
    }

    public void schedulerAnswered(ActionRevision answered, Instant at) {
        if (answered.revision().value() > schedulerRevision.value()) {
            schedulerRevision = answered.revision();
            observe(Stage.SCHEDULER, answered.at(), at, answered.revision().flags());
        }
    }

    public void monitorAnswered(ActionRevision answered, Instant at) {
        if (answered.revision().value() > monitorRevision.value()) {
            monitorRevision = answered.revision();
            observe(Stage.MONITOR, answered.at(), at, answered.revision().flags());
        }
    }

    public void monitorLost() {
        monitorRevision = Revision.ZERO;
    }

    /** The VM's object shows a revision as reached. */
    public void reached(ReachedRevision current) {
        lastDesired = Optional.empty();
        long value = current.revision().value();
        shown = Math.max(shown, value);
        if (patchTarget.revision().value() > patchConfirmed) {
            patchConfirmed = patchTarget.revision().value();
            observe(
                    Stage.NEON_VM,
                    patchTarget.at(),
                    current.updatedAt(),
                    patchTarget.revision().flags());
        }
        if (value <= lastValue) {
            forgetUpTo(value)
                    .ifPresent(drawn -> observe(
                            Stage.SCALING,
                            drawn.at(),
                            current.updatedAt(),
                            current.revision().flags()));
        }
    }

    private Optional<Drawn> forgetUpTo(long value) {
        Optional<Drawn> last = Optional.empty();
        while (!inFlight.isEmpty() && inFlight.getFirst().value() <= value) {
            last = Optional.of(inFlight.removeFirst());
        }
        return last.filter(drawn -> drawn.value() == value);
    }

    private void observe(Stage stage, Instant from, Instant to, long flags) {
        if (latencies.size() == MOST_LATENCIES) {
            latencies.removeFirst();
        }
        latencies.addLast(new Latency(stage, Duration.between(from, to), flags));
    }

    /** The latencies measured since the last call; of more than 1 000 the oldest are dropped. */
    public List<Latency> takeLatencies() {
        List<Latency> taken = List.copyOf(latencies);
        latencies.clear();
        return taken;
    }

    public Revision target() {
        return target;
    }

    public Optional<Resources> lastDesired() {
        return lastDesired;
    }

    public Revision schedulerRevision() {
        return schedulerRevision;
    }

    public Revision monitorRevision() {
        return monitorRevision;
    }

    public ActionRevision patchTarget() {
        return patchTarget;
    }

    public long patchConfirmed() {
        return patchConfirmed;
    }
}
