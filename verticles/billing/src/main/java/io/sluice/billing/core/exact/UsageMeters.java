package io.sluice.billing.core.exact;

import io.sluice.units.VmId;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All usage meters; they are read at the end of each window. */
final class UsageMeters {
    /**
     * About how many usage records are made at once where many windows are over and other processes may have billed
     * some.
     */
    private static final int CHARGES_AT_ONCE = 20_000;

    private final BillingWindows windows;
    private final DueVms holdings;
    private final boolean shared;
    private final Map<VmId, UsageMeter> running = new LinkedHashMap<>();
    private final ChangedMeters changed = new ChangedMeters();
    private Instant windowStart;
    private boolean held;
    private boolean read;

    /** @param shared whether other processes bill the same VMs, so that windows must not grow */
    UsageMeters(BillingWindows windows, DueVms holdings, boolean shared, Instant now) {
        this.windows = windows;
        this.holdings = holdings;
        this.shared = shared;
        this.windowStart = windows.endBefore(now);
    }

    /** Continues with the usage meters of a checkpoint. */
    void resume(ExactCollector.Checkpoint checkpoints) {
        var receivedIn = windows.endBefore(checkpoints.receivedUntil().minus(ExactCollector.LAG));
        windowStart = checkpoints.windowStart().filter(receivedIn::isAfter).orElse(receivedIn);
        for (var state : checkpoints.meters()) {
            changed.publishedBefore(state.key().vm());
            begin(new UsageMeter(state));
        }
    }

    Optional<UsageMeter> of(VmId vm) {
        return Optional.ofNullable(running.get(vm));
    }

    Set<VmId> vms() {
        return running.keySet();
    }

    Collection<UsageMeter> all() {
        return List.copyOf(running.values());
    }

    /** The start of the open window. */
    Instant windowStart() {
        return windowStart;
    }

    void hold(boolean holds) {
        held = holds;
    }

    void begin(UsageMeter meter) {
        var vm = meter.key().vm();
        running.put(vm, meter);
        holdings.began(vm);
        changed.at(vm);
    }

    void runsAt(UsageMeter meter, long milliCpu, long version, Instant at) {
        meter.runsAt(milliCpu, version, at);
        changed.at(meter.key().vm());
    }

    /** Ends a usage meter and returns the instant of its end, which is never before what it has added up. */
    Instant end(UsageMeter meter, Instant at) {
        var vm = meter.key().vm();
        running.remove(vm);
        var until = later(at, meter.addedUntil());
        windows.ends(windowStart, meter.addedUntil(), until, 0).stream()
                .filter(meter::ranUntil)
                .forEach(end -> holdings.charge(meter.charge(end)));
        var last = meter.end(until);
        // A remainder alone makes no record, because that record would have the key of a meter that begins here.
        if (until.isAfter(last.start())) {
            holdings.charge(last);
        }
        holdings.ended(vm);
        changed.ended(vm);
        return until;
    }

    /** Ends a usage meter without a record, because other processes bill that use. */
    void drop(UsageMeter meter) {
        running.remove(meter.key().vm());
        changed.ended(meter.key().vm());
    }

    /** Continues at the end of a window, because other processes bill what was before. */
    void skipTo(Instant end) {
        windowStart = end;
        running.values().forEach(meter -> meter.skipTo(end));
    }

    /** Returns the ends of the windows to close; none while the outbox accepts nothing. */
    List<Instant> endsUntil(Instant until) {
        if (held || !windows.endBefore(until).isAfter(windowStart)) {
            return List.of();
        }
        int wanted = shared ? CHARGES_AT_ONCE / Math.max(1, running.size()) : 0;
        // Usage meters that were not read while the outbox accepted nothing may have added up beyond some ends.
        var added = running.values().stream()
                .filter(UsageMeter::hasAdded)
                .map(UsageMeter::addedUntil)
                .max(Instant::compareTo)
                .orElse(windowStart);
        return windows.ends(windowStart, added, until, wanted);
    }

    void close(Instant end) {
        // After a resume some usage meters may already be read at this end. Another record would have the key of the
        // next one.
        running.values().stream().filter(meter -> meter.ranUntil(end)).forEach(meter -> read(meter, end));
        windowStart = end;
        holdings.windowOver(end);
        read = holdings.hasDue();
    }

    /** Whether all usage meters were read since changes were last taken, and a usage record is due. */
    boolean hasRead() {
        return read;
    }

    /** Reads all usage meters within a window. */
    void read(Instant at) {
        for (var meter : running.values()) {
            var until = later(at, meter.knownUntil());
            if (meter.ranUntil(until)) {
                read(meter, until);
            }
        }
        read = holdings.hasDue();
    }

    private void read(UsageMeter meter, Instant at) {
        holdings.charge(meter.charge(at));
        changed.at(meter.key().vm());
    }

    /** Returns the usage meters that changed since the last call; those that ended are empty. */
    Map<VmId, Optional<UsageMeterState>> takeChanged() {
        read = false;
        return changed.take(vm -> of(vm).map(UsageMeter::state));
    }

    static Instant later(Instant one, Instant other) {
        return one.isBefore(other) ? other : one;
    }
}
