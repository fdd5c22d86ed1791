package io.sluice.agent.core.scaling;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Collects a core's entries while they are recorded; otherwise it keeps none. Periodically, and where the recording
 * begins during the core's life, it describes the core anew, as soon as nothing is under way: so a recording of which
 * the beginning is lost can still be played.
 */
final class CoreJournal {
    private static final int ENTRIES_MAX = 200;
    private static final Duration DESCRIBED_EVERY = Duration.ofMinutes(5);

    private final List<CoreEntry> entries = new ArrayList<>(0);
    private boolean on;
    private long number;
    private boolean touched;
    private Optional<Instant> describedAt = Optional.empty();
    private Optional<CoreEntry.Decided> last = Optional.empty();

    void add(CoreEntry entry) {
        touched = true;
        last = Optional.empty();
        keep(entry);
    }

    /** A decision that repeats the one before, with no update between them, is left out. */
    void decided(ActionSet actions, Instant now) {
        if (on) {
            var decided = CoreEntry.Decided.of(actions, now);
            if (last.filter(decided::isSame).isEmpty()) {
                keep(decided);
            }
            last = Optional.of(decided);
        }
    }

    /**
     * Beyond the most entries of one event, all of it is dropped: a reader finds that by the number that is missing.
     */
    private void keep(CoreEntry entry) {
        if (on && entries.size() <= ENTRIES_MAX) {
            entries.add(entry);
        }
    }

    /** Whether to record from now on; called before each event. */
    void record(boolean wanted, CoreDetail detail, Optional<GoalCu> given, Instant now) {
        if (!wanted) {
            on = false;
            number++;
            describedAt = Optional.empty();
            last = Optional.empty();
            entries.clear();
            return;
        }
        on = true;
        if (!touched) {
            describedAt = Optional.of(now);
            entries.add(new CoreEntry.Began(detail.config(), detail.vm(), false));
            touched = true;
        } else if (describedAt
                        .filter(at -> at.plus(DESCRIBED_EVERY).isAfter(now))
                        .isEmpty()
                && isIdle(detail, now)) {
            describedAt = Optional.of(now);
            describe(detail, given, now);
        }
    }

    boolean isOn() {
        return on;
    }

    /** The entries since the last call; empty if there are none, or too many. */
    Optional<CoreEntry.Step> take() {
        if (entries.isEmpty()) {
            return Optional.empty();
        }
        number++;
        var step = new CoreEntry.Step(number, List.copyOf(entries));
        entries.clear();
        return Optional.of(step).filter(taken -> taken.entries().size() <= ENTRIES_MAX);
    }

    private void describe(CoreDetail detail, Optional<GoalCu> given, Instant now) {
        var last = detail.scheduler().last().orElseThrow();
        entries.add(new CoreEntry.Began(detail.config(), detail.vm(), true));
        entries.add(new CoreEntry.Sized(last.at(), CoreEntry.SizedEvent.PERMIT_REQUESTED, last.resources()));
        entries.add(new CoreEntry.Permitted(
                last.at(),
                detail.scheduler().permit().orElseThrow(),
                detail.scheduler().lapsesAt().map(lapse -> Duration.between(last.at(), lapse))));
        detail.monitor()
                .approved()
                .ifPresent(size -> entries.add(new CoreEntry.Happened(now, CoreEntry.Event.MONITOR_ACTIVE)));
        detail.system().ifPresent(metrics -> entries.add(new CoreEntry.Sampled(now, metrics)));
        detail.lfc().ifPresent(metrics -> entries.add(new CoreEntry.LfcSampled(now, metrics)));
        given.ifPresent(goal -> entries.add(new CoreEntry.GoalGiven(now, goal)));
    }

    /** Whether a new core that gets the last permit, the monitor and the metrics is in the same state. */
    private static boolean isIdle(CoreDetail detail, Instant now) {
        var config = detail.config();
        var using = detail.vm().using();
        var scheduler = detail.scheduler();
        var driver = detail.driver();
        var monitor = detail.monitor();
        return !scheduler.requesting()
                && scheduler.last().isPresent()
                && scheduler.permit().filter(permit -> !using.exceeds(permit)).isPresent()
                && scheduler
                        .failedAt()
                        .filter(at -> !at.isBefore(scheduler.last().get().at()))
                        .isEmpty()
                && isOver(scheduler.failedAt(), config.schedulerRetryWait(), now)
                && driver.patching().isEmpty()
                && !driver.inDoubt()
                && !driver.moving()
                && driver.exposure().equals(using)
                && isOver(driver.failedAt(), config.neonVmRetryWait(), now)
                && monitor.telling().isEmpty()
                && monitor.requested().isEmpty()
                && (monitor.approved().isEmpty()
                        || monitor.least().equals(monitor.most())
                                && monitor.most().equals(Optional.of(using)))
                && isOver(monitor.upscaleFailedAt(), config.monitorRetryWait(), now)
                && isOver(monitor.downscaleFailedAt(), config.monitorRetryWait(), now)
                && isOver(monitor.upscaleRequest().map(Desired.Requested::at), config.requestedUpscaleValid(), now)
                && isOver(monitor.deniedDownscale().map(Desired.Denied::at), config.deniedDownscaleCooldown(), now);
    }

    private static boolean isOver(Optional<Instant> since, Duration wait, Instant now) {
        return Periods.rest(since, wait, now).isEmpty();
    }
}
