package io.sluice.billing.core.exact;

import static io.sluice.billing.core.exact.UsageMeters.later;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.VmUse;
import io.sluice.shell.MissingKeyDetector;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Bills the integral of use. Each billed VM has a usage meter that runs from each change to the next, and is read at
 * the end of each window. Used by one thread, with times that never go back.
 *
 * <p>Use that is unknown is not billed. Versions show what was missed: a VM with the same version as before has used
 * its size; for any other version the time between is a {@link Gap}.
 *
 * <p>Where several processes bill, each meters all VMs, and bills those that {@link BillingAssignment} gives it. Two
 * processes that bill the same use make equal records: windows end at the same instants for all, and changes are cut at
 * the time that the VM's object records. Windows are closed late for that. A process that did not observe the start of
 * a window leaves it to those that were present before.
 */
public final class ExactCollector {
    /** VMs beyond this number are not billed; they are counted. */
    static final int VMS_MOST = 200_000;

    /**
     * If the recorded time of a change is older than this when it is received, another clock may have written it.
     * Windows are closed later by this time, so that each change finds its window open.
     */
    public static final Duration LAG = Duration.ofSeconds(3);

    /**
     * Records of other processes are kept for this time or for two windows, whichever is longer. The end of a process
     * is noticed within that time.
     */
    private static final Duration SETTLING = Duration.ofSeconds(60);

    private final BillingPeers peers;
    private final BillingWindows windows;
    private final Duration settling;
    private final BillingAssignment duties;
    private final DueVms holdings;
    private final UsageMeters meters;
    private final ObservationContinuity continuity;
    private final InheritedGaps inheritedGaps = new InheritedGaps(DueVms.DUE_MOST);
    private final Map<VmId, VmUse> latest = new HashMap<>();
    private final EndedMeters endings = new EndedMeters();
    private final PeerViews views = new PeerViews();
    private final WindowCommits portions;
    private final MissingKeyDetector<VmId> roll = new MissingKeyDetector<>();
    private final Instant created;

    /** Established processes that may have received what this one missed. */
    private final Set<String> witnesses;

    private Optional<Predecessor> predecessor = Optional.empty();
    private Set<String> settled = Set.of();
    private long refused;

    /**
     * The parameters of billing.
     *
     * @param window the length of a window
     * @param staleAfter the silence after which changes count as missed
     * @param peers the processes that share the billing
     */
    public record Terms(Duration window, Duration staleAfter, BillingPeers peers) {}

    /** Creates a collector without usage meters. */
    public ExactCollector(Terms terms, Instant now) {
        var twoWindows = terms.window().multipliedBy(2);
        this.peers = terms.peers();
        this.windows = new BillingWindows(terms.window());
        this.settling = twoWindows.compareTo(SETTLING) > 0 ? twoWindows : SETTLING;
        this.duties = new BillingAssignment(peers, settling);
        this.duties.look(now);
        // A change may be cut into the window before the one in which it is received; hence one window more.
        this.holdings = new DueVms(duties, settling.plus(terms.window()));
        this.meters = new UsageMeters(windows, holdings, peers.isShared(), now);
        this.continuity = new ObservationContinuity(terms.staleAfter(), now);
        this.portions = new WindowCommits(holdings, meters, inheritedGaps, continuity);
        this.created = now;
        this.witnesses = peers.elders();
    }

    /**
     * The checkpoint of a process for the next one.
     *
     * @param meters the usage meters
     * @param receivedUntil the last instant up to which changes were received
     * @param windowStart the instant up to which windows were closed; empty where the checkpoint has none
     * @param writer the process that wrote it
     * @param inheritedGaps gaps to be reported if no other process bills that time
     */
    public record Checkpoint(
            List<UsageMeterState> meters,
            Instant receivedUntil,
            Optional<Instant> windowStart,
            Predecessor writer,
            List<Gap> inheritedGaps) {}

    /** Creates a collector that continues from the checkpoint of a process that stopped or was killed. */
    public static ExactCollector resume(Terms terms, Checkpoint checkpoints, Instant now) {
        var collector = new ExactCollector(terms, now);
        collector.predecessor = Optional.of(checkpoints.writer());
        collector.settled = checkpoints.writer().settled();
        collector.witnesses.retainAll(checkpoints.writer().settled());
        checkpoints.inheritedGaps().forEach(collector.inheritedGaps::add);
        collector.continuity.resume(checkpoints.receivedUntil());
        collector.meters.resume(checkpoints);
        return collector;
    }

    /** Adds an observation of a VM. */
    public void observed(VmUse observation, Instant now) {
        if (endings.isLate(observation)) {
            return;
        }
        roll.named(observation.vm());
        continuity.named(observation.vm());
        var before = latest.get(observation.vm());
        if (before == null && latest.size() >= VMS_MOST) {
            refused++;
            return;
        }
        if (before != null && observation.version() <= before.version()) {
            return;
        }
        latest.put(observation.vm(), observation);
        if (continuity.isWell()) {
            closeUntil(now.minus(LAG));
            apply(observation, now);
        }
    }

    /** A VM was deleted. */
    public void gone(VmId vm, Instant now) {
        lastVersion(vm).ifPresent(version -> endings.gone(vm, version));
        strike(vm, now);
    }

    private Optional<Long> lastVersion(VmId vm) {
        return Optional.ofNullable(latest.get(vm))
                .map(VmUse::version)
                .or(() -> meters.of(vm).map(UsageMeter::version));
    }

    private void strike(VmId vm, Instant now) {
        roll.struck(vm);
        continuity.struck(vm);
        latest.remove(vm);
        if (continuity.isWell()) {
            closeUntil(now.minus(LAG));
            meters.of(vm).ifPresent(meter -> end(meter, now));
            holdings.forget(vm);
        }
    }

    /** A full list is complete. Returns the VMs that two full lists in a row did not name; they are gone. */
    public Set<VmId> listed(Instant now) {
        continuity.listed(now);
        var gone = roll.listed();
        gone.forEach(vm -> strike(vm, now));
        return gone;
    }

    /** All changes up to now were received, or were lost. */
    public void watched(Instant now) {
        continuity.notice(now);
        if (continuity.isCaughtUp()) {
            goOn(now);
        }
        if (continuity.isWell()) {
            continuity.received(now);
            settled = duties.settled();
            views.observe(settled, now);
            closeUntil(now.minus(LAG));
        }
    }

    /** Closes the windows that ended until then, each as a commit of its own. */
    private void closeUntil(Instant until) {
        if (peers.isShared() || !portions.isFull()) {
            meters.endsUntil(until).forEach(this::close);
        }
    }

    private void close(Instant end) {
        portions.next(settled);
        meters.close(end);
    }

    /** Advances the time. */
    public void tick(Instant now) {
        continuity.notice(now);
        holdings.weigh(meters.vms(), now, windows.endAfter(now));
        witnesses.retainAll(peers.elders());
        inheritedGaps.published(!witnesses.isEmpty(), continuity.since(), now).forEach(holdings::addGap);
    }

    /** Whether a full list is needed because changes may have been missed since the last one. The call resets it. */
    public boolean takeRelistWanted() {
        return continuity.takeRelistWanted();
    }

    /**
     * While the outbox accepts nothing, windows grow instead of being closed. Where other processes bill the same VMs,
     * windows must not grow, because the others cut there; usage records gather instead.
     */
    public void hold(boolean holds) {
        meters.hold(holds && !peers.isShared());
    }

    /**
     * Bills the open part of the window, because billing ends here. Where other processes may go on, nothing is read:
     * they bill the whole window, or this process does when it comes back.
     */
    public void flush(Instant now) {
        if (duties.isAlone(now)) {
            if (continuity.isWell()) {
                continuity.received(now);
            }
            continuity.until().ifPresent(this::readUntil);
        }
    }

    private void readUntil(Instant end) {
        meters.hold(false);
        meters.endsUntil(end).forEach(this::close);
        portions.next(settled);
        meters.read(end);
    }

    /** Takes the next commit; each is returned once. */
    public WindowCommit take() {
        return portions.take(settled);
    }

    /** Whether the commit of a closed window is still to be taken. */
    public boolean hasMore() {
        return portions.hasMore();
    }

    /** Returns the sign of life for the next process, where nothing else of this one has become durable. */
    public Predecessor signOfLife(Instant now) {
        return new Predecessor(peers.self(), views.all(settled), now);
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
        return inheritedGaps.givenUp() + holdings.givenUp();
    }

    private void apply(VmUse observation, Instant now) {
        var metered = meters.of(observation.vm());
        if (metered.isEmpty()) {
            var least = endings.of(observation.vm()).map(ended -> later(ended, meters.windowStart()));
            begin(observation, ChangeTime.of(observation, least.orElse(meters.windowStart()), now));
            return;
        }
        var meter = metered.get();
        var goesOn = observation
                .use()
                .filter(use -> use.endpoint().equals(meter.key().endpoint()));
        if (goesOn.isPresent()) {
            meters.runsAt(meter, goesOn.get().milliCpu(), observation.version(), now);
        } else {
            var at = ChangeTime.of(observation, meter.addedUntil(), now);
            end(meter, at);
            begin(observation, at);
        }
    }

    private void begin(VmUse observation, Instant at) {
        observation
                .use()
                .ifPresent(use ->
                        meters.begin(new UsageMeter(key(observation, use), observation.version(), use.milliCpu(), at)));
    }

    private static MeterKey key(VmUse observation, VmUse.Use use) {
        return new MeterKey(observation.vm(), use.endpoint());
    }

    private void end(UsageMeter meter, Instant at) {
        endings.ended(meter.key().vm(), meters.end(meter, at));
    }

    /**
     * Goes on after changes were missed. Usage meters of VMs that did not change continue; all others begin anew. Where
     * other processes may bill a VM too, they begin at the end of a window, because only that is the same instant for
     * all.
     */
    private void goOn(Instant now) {
        var cause = continuity.missing().orElseThrow();
        latest.keySet().retainAll(continuity.goOn(now));
        boolean known = cause == Gap.Cause.RESTART && isKnownToOthers(now);
        if (known) {
            skipWhatOthersDid(now);
        } else if (cause == Gap.Cause.RESTART) {
            holdings.help(meters.vms(), windows.endAfter(now));
        }
        boolean first = continuity.until().isEmpty() && !known;
        var since = known ? Optional.of(meters.windowStart()) : continuity.until();
        var from = peers.isShared() && !first ? windows.endAfter(now) : now;
        var missed = new MissedChanges(cause, since, from, known);
        var before = Set.copyOf(meters.vms());
        meters.all().stream().filter(this::hasChanged).forEach(meter -> cut(meter, missed));
        for (var observation : latest.values()) {
            if (meters.of(observation.vm()).isEmpty()) {
                begin(
                        observation,
                        first && peers.isShared() ? ChangeTime.of(observation, meters.windowStart(), now) : from);
                if (!before.contains(observation.vm())) {
                    publishInherited(observation, missed);
                }
            }
        }
    }

    /**
     * Whether other processes observed the missed time. Half the settling time after its start, this process counts as
     * established, and others may rely on it whether it has begun or not.
     */
    private boolean isKnownToOthers(Instant now) {
        return peers.isShared() && !witnesses.isEmpty() && now.isBefore(created.plus(settling.dividedBy(2)));
    }

    private void skipWhatOthersDid(Instant now) {
        var oldest = now.minus(settling);
        continuity.until().filter(oldest::isAfter).ifPresent(received -> {
            var skipped = later(windows.endBefore(oldest), windows.endAfter(received));
            predecessor
                    .filter(before -> before.aliveUntil().isAfter(received.plus(settling)))
                    .ifPresent(before -> addGapsThatNoProcessReported(before, received, skipped));
            meters.skipTo(skipped);
            views.from(skipped);
        });
    }

    /**
     * Other processes keep their records of its VMs for a limited time only. The gap is rather too long than too short.
     */
    private void addGapsThatNoProcessReported(Predecessor before, Instant received, Instant skipped) {
        var alive = windows.endAfter(before.aliveUntil());
        var until = alive.isBefore(skipped) ? alive : skipped;
        before.unbilled(received, until, settling, meters.all(), latest.values())
                .forEach(holdings::addGap);
    }

    private boolean hasChanged(UsageMeter meter) {
        return Optional.ofNullable(latest.get(meter.key().vm()))
                .filter(observation -> observation.version() == meter.version())
                .isEmpty();
    }

    private void cut(UsageMeter meter, MissedChanges missed) {
        var vm = meter.key().vm();
        if (missed.known()) {
            publish(meter.key(), meter.state().start(), meter.milliCpu(), missed);
            meters.drop(meter);
        } else {
            var until = later(continuity.until().orElse(meter.addedUntil()), meter.knownUntil());
            end(meter, until);
            publish(meter.key(), until, meter.milliCpu(), missed);
        }
        if (!latest.containsKey(vm)) {
            holdings.forget(vm);
        }
    }

    /** The VM had no usage meter when changes were last received, so it is unknown since when it has its size. */
    private void publishInherited(VmUse observation, MissedChanges missed) {
        observation
                .use()
                .ifPresent(use -> missed.since()
                        .ifPresent(since -> publish(key(observation, use), since, use.milliCpu(), missed)));
    }

    private void publish(MeterKey key, Instant from, long milliCpu, MissedChanges missed) {
        var gap = new Gap(key, from, later(missed.until(), from), milliCpu, missed.cause());
        if (missed.known()) {
            inheritedGaps.add(gap);
        } else {
            holdings.report(gap);
        }
    }
}
