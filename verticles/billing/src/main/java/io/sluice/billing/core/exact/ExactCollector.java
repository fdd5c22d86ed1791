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
 * Bills the integral of use: a meter for each VM that somebody is billed for runs from each change to the next, and is
 * read at the end of each window. To be used by one thread, with times that never go back.
 *
 * <p>What is not known is not billed. What was missed is told by versions: a VM that has the same one as before has
 * used what it had; of any other the time between is a {@link Gap}.
 *
 * <p>Of several who bill each meters all VMs, and charges those that are his by {@link BillingAssignment}. Where two
 * charge the same use they say the same: windows end at the same instants for all, and changes are cut where they are
 * recorded, for which windows are closed late. Who does not know how a window began leaves it to those who were there
 * before.
 */
public final class ExactCollector {
    /** VMs beyond so many are not billed, and counted. */
    static final int VMS_MOST = 200_000;

    /**
     * A fact that is older when it is heard may be dated by a clock that is not ours. Windows are closed so much later,
     * so that whatever is dated into one finds it open.
     */
    public static final Duration LAG = Duration.ofSeconds(3);

    /** What others were to bill is kept for as long, or for two windows: nobody's end goes unnoticed for longer. */
    private static final Duration SETTLING = Duration.ofSeconds(60);

    private final BillingPeers company;
    private final BillingWindows windows;
    private final Duration settling;
    private final BillingAssignment duties;
    private final DueVms holdings;
    private final UsageMeters meters;
    private final ObservationContinuity hearing;
    private final InheritedGaps doubts = new InheritedGaps(DueVms.DUE_MOST);
    private final Map<VmId, VmUse> latest = new HashMap<>();
    private final EndedMeters endings = new EndedMeters();
    private final PeerViews views = new PeerViews();
    private final WindowCommits portions;
    private final MissingKeyDetector<VmId> roll = new MissingKeyDetector<>();
    private final Instant created;

    /** Who may know what this one does not. */
    private final Set<String> witnesses;

    private Optional<Predecessor> predecessor = Optional.empty();
    private Set<String> settled = Set.of();
    private long refused;

    /**
     * By what is billed.
     *
     * @param window how long a window is
     * @param staleAfter for how long nothing need be heard before changes count as missed
     * @param company who else bills
     */
    public record Terms(Duration window, Duration staleAfter, BillingPeers company) {}

    /** One that begins with nothing. */
    public ExactCollector(Terms terms, Instant now) {
        var twoWindows = terms.window().multipliedBy(2);
        this.company = terms.company();
        this.windows = new BillingWindows(terms.window());
        this.settling = twoWindows.compareTo(SETTLING) > 0 ? twoWindows : SETTLING;
        this.duties = new BillingAssignment(company, settling);
        this.duties.look(now);
        // A change is cut into the window before the one in which it is heard, which is one more.
        this.holdings = new DueVms(duties, settling.plus(terms.window()));
        this.meters = new UsageMeters(windows, holdings, company.isShared(), now);
        this.hearing = new ObservationContinuity(terms.staleAfter(), now);
        this.portions = new WindowCommits(holdings, meters, doubts, hearing);
        this.created = now;
        this.witnesses = company.elders();
    }

    /**
     * What one wrote down, for whoever goes on after it.
     *
     * @param meters as they stood
     * @param heardUntil the last instant at which changes were heard of
     * @param windowStart up to where windows were closed; empty where that was not written down
     * @param writer who wrote it
     * @param doubts gaps that were to be told if nobody else billed what was in them
     */
    public record Notes(
            List<UsageMeterState> meters,
            Instant heardUntil,
            Optional<Instant> windowStart,
            Predecessor writer,
            List<Gap> doubts) {}

    /** One that goes on where another stopped, or was stopped. */
    public static ExactCollector resume(Terms terms, Notes notes, Instant now) {
        var collector = new ExactCollector(terms, now);
        collector.predecessor = Optional.of(notes.writer());
        collector.settled = notes.writer().settled();
        collector.witnesses.retainAll(notes.writer().settled());
        notes.doubts().forEach(collector.doubts::add);
        collector.hearing.resume(notes.heardUntil());
        collector.meters.resume(notes);
        return collector;
    }

    /** A VM is so now. */
    public void seen(VmUse fact, Instant now) {
        if (endings.isLate(fact)) {
            return;
        }
        roll.named(fact.vm());
        hearing.named(fact.vm());
        var before = latest.get(fact.vm());
        if (before == null && latest.size() >= VMS_MOST) {
            refused++;
            return;
        }
        if (before != null && fact.version() <= before.version()) {
            return;
        }
        latest.put(fact.vm(), fact);
        if (hearing.isWell()) {
            closeUntil(now.minus(LAG));
            apply(fact, now);
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
        hearing.struck(vm);
        latest.remove(vm);
        if (hearing.isWell()) {
            closeUntil(now.minus(LAG));
            meters.of(vm).ifPresent(meter -> end(meter, now));
            holdings.forget(vm);
        }
    }

    /** A full listing is through: what neither it nor the one before named is gone, and answered. */
    public Set<VmId> listed(Instant now) {
        hearing.listed(now);
        var gone = roll.listed();
        gone.forEach(vm -> strike(vm, now));
        return gone;
    }

    /** Every change up to now was heard of, or never will be. */
    public void watched(Instant now) {
        hearing.notice(now);
        if (hearing.isCaughtUp()) {
            goOn(now);
        }
        if (hearing.isWell()) {
            hearing.heard(now);
            settled = duties.settled();
            views.see(settled, now);
            closeUntil(now.minus(LAG));
        }
    }

    /** Closes windows that ended until then, each for a portion of its own. */
    private void closeUntil(Instant until) {
        if (company.isShared() || !portions.isFull()) {
            meters.endsUntil(until).forEach(this::close);
        }
    }

    private void close(Instant end) {
        portions.next(settled);
        meters.close(end);
    }

    /** Time goes by. */
    public void tick(Instant now) {
        hearing.notice(now);
        holdings.weigh(meters.vms(), now, windows.endAfter(now));
        witnesses.retainAll(company.elders());
        doubts.told(!witnesses.isEmpty(), hearing.since(), now).forEach(holdings::addGap);
    }

    /** Whether a full listing is wanted, as changes may have been missed since the last one; told once. */
    public boolean takeWantsListing() {
        return hearing.takeWantsListing();
    }

    /**
     * While nobody takes charges, windows grow instead of being closed. Where others bill the same VMs they must not,
     * as nobody would cut where they do: there charges gather.
     */
    public void hold(boolean holds) {
        meters.hold(holds && !company.isShared());
    }

    /**
     * Reads all meters now, for nobody goes on here: what there is of the window is billed. Where others may go on,
     * they bill the window whole, or this one does when it comes back.
     */
    public void flush(Instant now) {
        if (duties.isAlone(now)) {
            if (hearing.isWell()) {
                hearing.heard(now);
            }
            hearing.until().ifPresent(this::readUntil);
        }
    }

    private void readUntil(Instant end) {
        meters.hold(false);
        meters.endsUntil(end).forEach(this::close);
        portions.next(settled);
        meters.read(end);
    }

    /** What is to become durable next, and is not told again. */
    public WindowCommit take() {
        return portions.take(settled);
    }

    /** Whether there is a portion of a window that is still to be taken. */
    public boolean hasMore() {
        return portions.hasMore();
    }

    /** What whoever goes on after this one is to know of it, where nothing else of it has become durable. */
    public Predecessor signOfLife(Instant now) {
        return new Predecessor(company.self(), views.all(settled), now);
    }

    /** Why changes are being missed, if they are. */
    public Optional<Gap.Cause> missing() {
        return hearing.missing();
    }

    /** How many VMs are metered. */
    public int metered() {
        return meters.vms().size();
    }

    /** All meters as they stand. */
    public List<UsageMeterState> meters() {
        return meters.all().stream().map(UsageMeter::state).toList();
    }

    /** How often a VM was not taken in, as there are too many. */
    public long refused() {
        return refused;
    }

    /** How many charges and gaps were given up, as nobody took any for too long. */
    public long givenUp() {
        return doubts.givenUp() + holdings.givenUp();
    }

    private void apply(VmUse fact, Instant now) {
        var metered = meters.of(fact.vm());
        if (metered.isEmpty()) {
            var least = endings.of(fact.vm()).map(ended -> later(ended, meters.windowStart()));
            begin(fact, ChangeTime.of(fact, least.orElse(meters.windowStart()), now));
            return;
        }
        var meter = metered.get();
        var goesOn = fact.use().filter(use -> use.endpoint().equals(meter.key().endpoint()));
        if (goesOn.isPresent()) {
            meters.runsAt(meter, goesOn.get().milliCpu(), fact.version(), now);
        } else {
            var at = ChangeTime.of(fact, meter.addedUntil(), now);
            end(meter, at);
            begin(fact, at);
        }
    }

    private void begin(VmUse fact, Instant at) {
        fact.use().ifPresent(use -> meters.begin(new UsageMeter(key(fact, use), fact.version(), use.milliCpu(), at)));
    }

    private static MeterKey key(VmUse fact, VmUse.Use use) {
        return new MeterKey(fact.vm(), use.endpoint());
    }

    private void end(UsageMeter meter, Instant at) {
        endings.ended(meter.key().vm(), meters.end(meter, at));
    }

    /**
     * After changes were missed: what has not changed goes on, the rest begins anew; where others may bill it too, at
     * the end of a window, as only that is the same instant for all.
     */
    private void goOn(Instant now) {
        var cause = hearing.missing().orElseThrow();
        latest.keySet().retainAll(hearing.goOn(now));
        boolean known = cause == Gap.Cause.RESTART && isKnownToOthers(now);
        if (known) {
            skipWhatOthersDid(now);
        } else if (cause == Gap.Cause.RESTART) {
            holdings.help(meters.vms(), windows.endAfter(now));
        }
        boolean first = hearing.until().isEmpty() && !known;
        var since = known ? Optional.of(meters.windowStart()) : hearing.until();
        var from = company.isShared() && !first ? windows.endAfter(now) : now;
        var missed = new MissedChanges(cause, since, from, known);
        var before = Set.copyOf(meters.vms());
        meters.all().stream().filter(this::hasChanged).forEach(meter -> cut(meter, missed));
        for (var fact : latest.values()) {
            if (meters.of(fact.vm()).isEmpty()) {
                begin(fact, first && company.isShared() ? ChangeTime.of(fact, meters.windowStart(), now) : from);
                if (!before.contains(fact.vm())) {
                    tellOfBefore(fact, missed);
                }
            }
        }
    }

    /** Others count on this one from some time after its start on, whether it has begun or not. */
    private boolean isKnownToOthers(Instant now) {
        return company.isShared() && !witnesses.isEmpty() && now.isBefore(created.plus(settling.dividedBy(2)));
    }

    private void skipWhatOthersDid(Instant now) {
        var oldest = now.minus(settling);
        hearing.until().filter(oldest::isAfter).ifPresent(heard -> {
            var skipped = later(windows.endBefore(oldest), windows.endAfter(heard));
            predecessor
                    .filter(before -> before.aliveUntil().isAfter(heard.plus(settling)))
                    .ifPresent(before -> tellWhatNobodyDid(before, heard, skipped));
            meters.skipTo(skipped);
            views.from(skipped);
        });
    }

    /** Others keep what they leave to one for a while only; what is told is a little too long rather than too short. */
    private void tellWhatNobodyDid(Predecessor before, Instant heard, Instant skipped) {
        var alive = windows.endAfter(before.aliveUntil());
        var until = alive.isBefore(skipped) ? alive : skipped;
        before.unbilled(heard, until, settling, meters.all(), latest.values()).forEach(holdings::addGap);
    }

    private boolean hasChanged(UsageMeter meter) {
        return Optional.ofNullable(latest.get(meter.key().vm()))
                .filter(fact -> fact.version() == meter.version())
                .isEmpty();
    }

    private void cut(UsageMeter meter, MissedChanges missed) {
        var vm = meter.key().vm();
        if (missed.known()) {
            tell(meter.key(), meter.state().start(), meter.milliCpu(), missed);
            meters.drop(meter);
        } else {
            var until = later(hearing.until().orElse(meter.addedUntil()), meter.knownUntil());
            end(meter, until);
            tell(meter.key(), until, meter.milliCpu(), missed);
        }
        if (!latest.containsKey(vm)) {
            holdings.forget(vm);
        }
    }

    /** It was not metered when changes were heard of last: since when it is what it is, nobody knows. */
    private void tellOfBefore(VmUse fact, MissedChanges missed) {
        fact.use()
                .ifPresent(use ->
                        missed.since().ifPresent(since -> tell(key(fact, use), since, use.milliCpu(), missed)));
    }

    private void tell(MeterKey key, Instant from, long milliCpu, MissedChanges missed) {
        var gap = new Gap(key, from, later(missed.until(), from), milliCpu, missed.cause());
        if (missed.known()) {
            doubts.add(gap);
        } else {
            holdings.tell(gap);
        }
    }
}
