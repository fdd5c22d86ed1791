package io.sluice.billing.core.exact;

import static io.sluice.billing.core.exact.UsageMeters.earlier;
import static io.sluice.billing.core.exact.UsageMeters.later;

import io.sluice.billing.core.DriverContinuity;
import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.VmUse;
import io.sluice.shell.MissingKeyDetector;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Bills the integral of use. Each billed VM has a usage meter that runs from each change to the next, and is read at
 * the end of each window. Used by one thread, with times that never go back.
 *
 * <p>Use that is unknown is not billed. Versions show what was missed: a VM with the same version as before has used
 * its size; for any other version the time between is a {@link Gap}.
 *
 * <p>Two processes that bill the same use make records with equal keys. A record begins only at the end of a window, or
 * at the second that the VM's object records for a change of endpoint, node or phase. Windows are closed late for that.
 */
public final class ExactCollector {
    /** VMs beyond this number are not billed; they are counted. */
    static final int VMS_MOST = 200_000;

    /**
     * If the recorded time of a change is older than this when it is received, another clock may have written it.
     * Windows are closed later by this time, so that each change finds its window open.
     */
    public static final Duration LAG = Duration.ofSeconds(3);

    private final DueRecords due = new DueRecords();
    private final UsageMeters meters;
    private final DriverContinuity continuity;
    private final Map<VmId, VmUse> latest = new HashMap<>();
    private final ClockSkew skew = new ClockSkew();
    private final EndedMeters endings = new EndedMeters();
    private final WindowCommits commits;
    private final MissingKeyDetector<VmId> roll = new MissingKeyDetector<>();
    private long refused;

    /**
     * The parameters of billing.
     *
     * @param window the length of a window
     * @param staleAfter the silence after which changes count as missed
     */
    public record Options(Duration window, Duration staleAfter) {}

    /** Creates a collector without usage meters. */
    public ExactCollector(Options options, Instant now) {
        this.meters = new UsageMeters(new BillingWindows(options.window()), due, now);
        this.continuity = new DriverContinuity(options.staleAfter());
        this.commits = new WindowCommits(due, meters, continuity);
    }

    /**
     * The checkpoint of a process for the next one.
     *
     * @param meters the usage meters
     * @param ended usage meters that ended a short time ago
     * @param receivedUntil the last instant up to which changes were received
     * @param windowStart the instant up to which windows were closed; empty where the checkpoint has none
     */
    public record Checkpoint(
            List<UsageMeterState> meters,
            Map<VmId, MeterEntry.Ended> ended,
            Instant receivedUntil,
            Optional<Instant> windowStart) {}

    /** Creates a collector that continues from the checkpoint of a process that stopped or was killed. */
    public static ExactCollector resume(Options options, Checkpoint checkpoint, Instant now) {
        var collector = new ExactCollector(options, now);
        collector.continuity.resume(
                checkpoint.receivedUntil(),
                checkpoint.meters().stream()
                        .map(meter -> meter.key().vm().driver())
                        .toList());
        collector.meters.resume(checkpoint);
        checkpoint.ended().forEach((vm, end) -> {
            collector.endings.ended(vm, end.at());
            collector.endings.gone(vm, end.version());
        });
        return collector;
    }

    /**
     * All changes since the checkpoint follow, so none was missed.
     *
     * @param drivers the drivers whose watch was proven
     */
    void missesNothing(Set<String> drivers, Instant receivedUntil) {
        drivers.forEach(continuity::goOn);
        continuity.drivers().forEach(continuity::goOn);
        received(receivedUntil);
        meters.vms().forEach(roll::named);
    }

    /** Everything up to now was received, however long ago the last change was. */
    void received(Instant now) {
        continuity.drivers().forEach(driver -> continuity.received(driver, now));
        continuity.drivers().forEach(driver -> watched(driver, now));
    }

    /** Nothing is known of the VMs that exist now. */
    void requestRelist() {
        continuity.requestRelist();
    }

    /** The next checkpoint drops these VMs of an earlier one, except those that have a usage meter. */
    public void forget(Collection<VmId> vms) {
        meters.forget(vms);
    }

    /** Adds an observation of a VM. */
    public void observed(VmUse observation, Instant now) {
        continuity.notice(now);
        if (endings.isLate(observation)) {
            return;
        }
        roll.named(observation.vm());
        continuity.named(observation.vm(), observation.use().isPresent());
        var before = latest.get(observation.vm());
        if (before == null && latest.size() >= VMS_MOST) {
            refused++;
            return;
        }
        if (before != null && observation.version() <= before.version()) {
            return;
        }
        latest.put(observation.vm(), observation);
        var lateSince = skew.lateSince(observation, Optional.ofNullable(before), now);
        if (continuity.isWell(observation.vm().driver())) {
            closeBefore(now);
            apply(observation, lateSince.filter(late -> before != null || !isMetered(observation.vm())), now);
        } else if (before != null) {
            lateSince
                    .filter(late -> isBeforeSilence(observation.vm(), late))
                    .ifPresent(late -> apply(observation, lateSince, now));
        }
    }

    /** A VM was deleted. */
    public void gone(VmId vm, Instant now) {
        continuity.notice(now);
        endings.gone(vm, lastVersion(vm));
        strike(vm, now);
    }

    /** Whether a change is of before the time in which changes of its driver's VMs are missed. */
    private boolean isBeforeSilence(VmId vm, Instant late) {
        return continuity
                .until(vm.driver())
                .filter(silentFrom -> !late.plus(ChangeTime.RECORDED_IN).isAfter(silentFrom))
                .isPresent();
    }

    private boolean isMetered(VmId vm) {
        return meters.of(vm).isPresent();
    }

    private long lastVersion(VmId vm) {
        return Optional.ofNullable(latest.get(vm))
                .map(VmUse::version)
                .or(() -> meters.of(vm).map(UsageMeter::version))
                .orElse(Long.MIN_VALUE);
    }

    private void strike(VmId vm, Instant now) {
        roll.struck(vm);
        continuity.struck(vm);
        long version = lastVersion(vm);
        latest.remove(vm);
        if (continuity.isWell(vm.driver())) {
            closeBefore(now);
            meters.of(vm).ifPresent(meter -> end(meter, version, now));
        }
    }

    /** A full list is complete. Returns the VMs that two full lists in a row did not name; they are gone. */
    public Set<VmId> listed(Instant now) {
        continuity.notice(now);
        continuity.listed(now);
        continuity.abandoned(now).forEach(driver -> {
            goOn(driver, cause(driver), Set.of(), now);
            continuity.abandon(driver, now);
        });
        var gone = roll.listed();
        gone.forEach(vm -> strike(vm, now));
        return gone;
    }

    /** All changes of a driver's VMs up to now were received, or were lost. */
    public void watched(String driver, Instant now) {
        if (continuity.watched(driver, now)) {
            goOn(driver, cause(driver), continuity.goOn(driver), now);
        }
        continuity.received(driver, now);
        continuity.until().ifPresent(this::closeBefore);
    }

    private Gap.Cause cause(String driver) {
        return continuity.missing(driver).orElseThrow();
    }

    /** While changes of one driver's VMs are missed, no window is closed. */
    private void closeBefore(Instant now) {
        if (continuity.isWell()) {
            closeUntil(now.minus(LAG));
        }
    }

    /** Closes the windows that ended until then, each as a commit of its own. */
    private void closeUntil(Instant until) {
        for (var end = meters.over(until); end.isPresent() && !commits.isFull(); end = meters.over(until)) {
            commits.next();
            meters.close(end.get());
        }
    }

    /** Advances the time. */
    public void tick(Instant now) {
        continuity.notice(now);
    }

    /** Whether a full list is needed because changes may have been missed since the last one. The call resets it. */
    public boolean takeRelistWanted() {
        return continuity.takeRelistWanted();
    }

    /** While the outbox accepts nothing, no window is closed. Afterwards each is closed by itself. */
    public void hold(boolean holds) {
        meters.hold(holds);
    }

    /** Bills the open part of the window, because billing ends here, and no other process goes on. */
    public void flush(Instant now) {
        continuity.drivers().forEach(driver -> continuity.received(driver, now));
        continuity.until().ifPresent(end -> {
            meters.hold(false);
            closeUntil(end);
            commits.next();
            meters.read(end);
        });
    }

    /** Takes the next commit; each is returned once. */
    public WindowCommit take() {
        return commits.take();
    }

    /** Whether the commit of a closed window is still to be taken. */
    public boolean hasMore() {
        continuity.until().ifPresent(this::closeBefore);
        return commits.hasMore();
    }

    /** Why changes are not received; empty while they are. */
    public Optional<Gap.Cause> missing() {
        return continuity.missing();
    }

    /** The number of VMs with a usage meter. */
    public int metered() {
        return meters.vms().size();
    }

    /** All usage meters in their present state. */
    public List<UsageMeterState> meters() {
        return meters.all().stream().map(UsageMeter::state).toList();
    }

    /** The number of observations refused because there are too many VMs. */
    public long refused() {
        return refused;
    }

    /** The number of usage records and gaps given up because no sink accepted any for too long. */
    public long givenUp() {
        return due.givenUp();
    }

    /** @param lateSince when the change happened if it arrived late */
    private void apply(VmUse observation, Optional<Instant> lateSince, Instant now) {
        var metered = meters.of(observation.vm());
        if (metered.isEmpty()) {
            var ended = endings.since(observation.vm());
            var from =
                    lateSince.map(since -> ended.map(end -> later(end, since)).orElse(since));
            var at = ChangeTime.ofBoundary(observation, lateSince, leastBegin(observation.vm()), now);
            beginLate(observation, from.orElse(at), at);
            return;
        }
        var meter = metered.get();
        if (observation.version() <= meter.version()) {
            return;
        }
        var goesOn = sameEndpoint(meter, observation);
        if (goesOn.isPresent()) {
            var at = ChangeTime.ofSize(observation, lateSince, now);
            lateSince.flatMap(since -> meter.late(goesOn.get().milliCpu(), at)).ifPresent(due::report);
            meters.runsAt(meter, goesOn.get().milliCpu(), observation.version(), at);
        } else {
            var at = ChangeTime.ofBoundary(observation, lateSince, meter.addedUntil(), now);
            var billed = lateSince.flatMap(since -> meter.late(0, since));
            billed.ifPresent(due::report);
            var since = billed.map(Gap::from).orElse(at);
            end(meter, observation.version(), at);
            endings.endedLate(observation.vm(), since);
            beginLate(observation, since, at);
        }
    }

    private Instant leastBegin(VmId vm) {
        return endings.of(vm).map(ended -> later(ended, meters.windowStart())).orElse(meters.windowStart());
    }

    /** A VM began use at an instant. Windows that are closed lack it, until the usage meter begins. */
    private void beginLate(VmUse observation, Instant from, Instant at) {
        observation.use().ifPresent(use -> {
            if (from.isBefore(at)) {
                due.report(new Gap(key(observation, use), from, at, use.milliCpu(), Gap.Cause.LATE));
            }
            begin(observation, earlier(from, at), at);
        });
    }

    private static Optional<VmUse.Use> sameEndpoint(UsageMeter meter, VmUse observation) {
        return observation.use().filter(use -> use.endpoint().equals(meter.key().endpoint()));
    }

    private void begin(VmUse observation, Instant at) {
        begin(observation, at, at);
    }

    /** @param sizeSince since when the VM has its size; before {@code at} that is not billed */
    private void begin(VmUse observation, Instant sizeSince, Instant at) {
        observation
                .use()
                .ifPresent(use -> meters.begin(
                        new UsageMeter(key(observation, use), observation.version(), use.milliCpu(), sizeSince, at)));
    }

    private static MeterKey key(VmUse observation, VmUse.Use use) {
        return new MeterKey(observation.vm(), use.endpoint());
    }

    private void end(UsageMeter meter, long version, Instant at) {
        endings.ended(meter.key().vm(), meters.end(meter, version, at));
    }

    /**
     * Goes on after changes were missed. Use of a VM that changed is unknown from the silence until its last change.
     */
    private void goOn(String driver, Gap.Cause cause, Set<VmId> there, Instant now) {
        var since = continuity.until(driver);
        latest.keySet().removeIf(vm -> vm.driver().equals(driver) && !there.contains(vm));
        var before = meters.all().stream()
                .filter(meter -> meter.key().vm().driver().equals(driver))
                .toList();
        for (var meter : before) {
            var observation = Optional.ofNullable(latest.get(meter.key().vm()));
            if (observation
                    .filter(observed -> observed.version() == meter.version())
                    .isEmpty()) {
                missed(meter, observation, later(since.orElse(meter.addedUntil()), meter.knownUntil()), now, cause);
            }
        }
        var known = before.stream().map(meter -> meter.key().vm()).collect(Collectors.toSet());
        for (var observation : latest.values()) {
            if (observation.vm().driver().equals(driver) && !known.contains(observation.vm())) {
                var from = since.map(silent -> ChangeTime.ofMissedBoundary(observation, silent, now))
                        .orElse(now);
                beginMissed(observation, since.orElse(from), from, cause);
            }
        }
    }

    private void missed(UsageMeter meter, Optional<VmUse> observation, Instant since, Instant now, Gap.Cause cause) {
        var goesOn = observation.flatMap(observed -> sameEndpoint(meter, observed));
        if (goesOn.isPresent()) {
            var until = later(ChangeTime.ofMissed(observation.get(), since, now), since);
            due.report(new Gap(meter.key(), since, until, meter.milliCpu(), cause));
            meters.unknown(
                    meter,
                    since,
                    until,
                    goesOn.get().milliCpu(),
                    observation.get().version());
            return;
        }
        long size = meter.milliCpu();
        var at = observation
                .map(observed -> ChangeTime.ofMissedBoundary(observed, since, now))
                .orElse(now);
        end(meter, observation.map(VmUse::version).orElse(meter.version()), at.isBefore(since) ? at : since);
        if (since.isBefore(at)) {
            due.report(new Gap(meter.key(), since, at, size, cause));
        }
        observation.ifPresent(observed -> begin(
                observed,
                endings.of(observed.vm()).map(ended -> later(ended, at)).orElse(at)));
    }

    /** The VM had no usage meter when changes were last received, so it is unknown since when it has its size. */
    private void beginMissed(VmUse observation, Instant since, Instant from, Gap.Cause cause) {
        var at = later(
                later(from, meters.windowStart()), endings.of(observation.vm()).orElse(from));
        var unknownFrom =
                endings.of(observation.vm()).map(ended -> later(ended, since)).orElse(since);
        observation.use().ifPresent(use -> {
            if (unknownFrom.isBefore(at)) {
                due.report(new Gap(key(observation, use), unknownFrom, at, use.milliCpu(), cause));
            }
        });
        begin(observation, at);
    }
}
