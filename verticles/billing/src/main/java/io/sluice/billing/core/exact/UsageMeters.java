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
    private final BillingWindows windows;
    private final DueRecords due;
    private final Map<VmId, UsageMeter> running = new LinkedHashMap<>();
    private final ChangedMeters changed = new ChangedMeters();
    private Instant windowStart;
    private boolean held;
    private boolean read;

    UsageMeters(BillingWindows windows, DueRecords due, Instant now) {
        this.windows = windows;
        this.due = due;
        this.windowStart = windows.endBefore(now);
    }

    /** Continues with the usage meters of a checkpoint. */
    void resume(ExactCollector.Checkpoint checkpoint) {
        var receivedIn = windows.endBefore(checkpoint.receivedUntil().minus(ExactCollector.LAG));
        windowStart = checkpoint.windowStart().filter(receivedIn::isAfter).orElse(receivedIn);
        checkpoint.meters().forEach(state -> begin(new UsageMeter(state)));
        checkpoint.ended().forEach((vm, end) -> changed.ended(vm, end.version(), end.at()));
    }

    /** An earlier checkpoint on this disk has these VMs. */
    void forget(Collection<VmId> vms) {
        vms.forEach(changed::forget);
    }

    Optional<UsageMeter> of(VmId vm) {
        return Optional.ofNullable(running.get(vm));
    }

    Set<VmId> vms() {
        return running.keySet();
    }

    List<UsageMeter> all() {
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
        running.put(meter.key().vm(), meter);
        changed.at(meter.key().vm());
    }

    void runsAt(UsageMeter meter, long milliCpu, long version, Instant at) {
        meter.runsAt(milliCpu, version, at);
        changed.at(meter.key().vm());
    }

    void unknown(UsageMeter meter, Instant from, Instant until, long milliCpu, long version) {
        meter.unknown(from, until, milliCpu, version);
        changed.at(meter.key().vm());
    }

    /**
     * Ends a usage meter and returns the instant of its end, which is never before what it has added up.
     *
     * @param version the version that ended it
     */
    Instant end(UsageMeter meter, long version, Instant at) {
        var vm = meter.key().vm();
        running.remove(vm);
        var until = later(at, meter.addedUntil());
        for (var end = windows.next(windowStart, until); !end.isAfter(until); end = windows.next(end, until)) {
            if (meter.ranUntil(end)) {
                due.charge(meter.charge(end));
            }
        }
        var last = meter.end(until);
        // A remainder alone makes no record, because that record would have the key of a meter that begins here.
        if (until.isAfter(last.start())) {
            due.charge(last);
        }
        changed.ended(vm, version, until);
        return until;
    }

    /** Returns the end of the next window to close; empty while none is over, or the outbox accepts nothing. */
    Optional<Instant> over(Instant until) {
        return held
                ? Optional.empty()
                : Optional.of(windows.next(windowStart, until)).filter(end -> !end.isAfter(until));
    }

    void close(Instant end) {
        // After a resume some usage meters may already be read at this end. Another record would have the key of the
        // next one.
        running.values().stream().filter(meter -> meter.ranUntil(end)).forEach(meter -> read(meter, end));
        windowStart = end;
        read = due.hasCharges();
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
        read = due.hasCharges();
    }

    private void read(UsageMeter meter, Instant at) {
        due.charge(meter.charge(at));
        changed.at(meter.key().vm());
    }

    /** Returns the VMs whose usage meters changed since the last call. */
    Map<VmId, MeterEntry> takeChanged() {
        read = false;
        return changed.take(windowStart, vm -> of(vm).map(UsageMeter::state));
    }

    static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    static Instant later(Instant one, Instant other) {
        return one.isBefore(other) ? other : one;
    }
}
