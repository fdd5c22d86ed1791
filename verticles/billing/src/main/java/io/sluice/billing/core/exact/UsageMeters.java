package io.sluice.billing.core.exact;

import io.sluice.units.VmId;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** All meters, read at the end of each window, and where they end. */
final class UsageMeters {
    /** How many charges are made at once, about, where many windows are over and others may have billed some. */
    private static final int CHARGES_AT_ONCE = 20_000;

    private final BillingWindows windows;
    private final DueVms holdings;
    private final boolean shared;
    private final Map<VmId, UsageMeter> running = new LinkedHashMap<>();
    private final ChangedMeters changed = new ChangedMeters();
    private Instant windowStart;
    private boolean held;
    private boolean read;

    /** @param shared whether others bill the same VMs, for whom windows must not grow */
    UsageMeters(BillingWindows windows, DueVms holdings, boolean shared, Instant now) {
        this.windows = windows;
        this.holdings = holdings;
        this.shared = shared;
        this.windowStart = windows.endBefore(now);
    }

    /** They go on as they were written down. */
    void resume(ExactCollector.Notes notes) {
        var heardIn = windows.endBefore(notes.heardUntil().minus(ExactCollector.LAG));
        windowStart = notes.windowStart().filter(heardIn::isAfter).orElse(heardIn);
        for (var state : notes.meters()) {
            changed.toldBefore(state.key().vm());
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

    /** From where on windows are open. */
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

    /** Ends one, and answers where: never before what it has added up. */
    Instant end(UsageMeter meter, Instant at) {
        var vm = meter.key().vm();
        running.remove(vm);
        var until = later(at, meter.addedUntil());
        windows.ends(windowStart, meter.addedUntil(), until, 0).stream()
                .filter(meter::ranUntil)
                .forEach(end -> holdings.charge(meter.charge(end)));
        var last = meter.end(until);
        // What is left over alone makes no charge, which would have the key of one that begins here.
        if (until.isAfter(last.start())) {
            holdings.charge(last);
        }
        holdings.ended(vm);
        changed.ended(vm);
        return until;
    }

    /** Ends one without a charge, as others bill it. */
    void drop(UsageMeter meter) {
        running.remove(meter.key().vm());
        changed.ended(meter.key().vm());
    }

    /** Goes on at the end of a window, as others bill what was before. */
    void skipTo(Instant end) {
        windowStart = end;
        running.values().forEach(meter -> meter.skipTo(end));
    }

    /** The windows to be closed that ended until then: none while nobody takes charges. */
    List<Instant> endsUntil(Instant until) {
        if (held || !windows.endBefore(until).isAfter(windowStart)) {
            return List.of();
        }
        int wanted = shared ? CHARGES_AT_ONCE / Math.max(1, running.size()) : 0;
        // Meters that were not read while nobody took charges may have gone on beyond some ends.
        var added = running.values().stream()
                .filter(UsageMeter::hasAdded)
                .map(UsageMeter::addedUntil)
                .max(Instant::compareTo)
                .orElse(windowStart);
        return windows.ends(windowStart, added, until, wanted);
    }

    void close(Instant end) {
        // Who resumes may find meters read at this end already: another charge would have the key of the next one.
        running.values().stream().filter(meter -> meter.ranUntil(end)).forEach(meter -> read(meter, end));
        windowStart = end;
        holdings.windowOver(end);
        read = holdings.hasDue();
    }

    /** Whether all were read since changes were taken last, and something of that is due. */
    boolean hasRead() {
        return read;
    }

    /** Reads all of them then, in the middle of a window. */
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

    /** Those that changed since this was asked last; what ended is empty. */
    Map<VmId, Optional<UsageMeterState>> takeChanged() {
        read = false;
        return changed.take(vm -> of(vm).map(UsageMeter::state));
    }

    static Instant later(Instant one, Instant other) {
        return one.isBefore(other) ? other : one;
    }
}
