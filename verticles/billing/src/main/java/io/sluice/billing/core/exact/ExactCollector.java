package io.sluice.billing.core.exact;

import io.sluice.billing.core.Charge;
import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.VmUse;
import io.sluice.shell.RollCall;
import io.sluice.units.VmId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Bills the integral of use: a meter for each VM that somebody is billed for runs from each change to the next, and is
 * read at the end of each window. To be used by one thread, with times that never go back.
 *
 * <p>What is not known is not billed. What was missed is told by versions: a VM that has the same one as before has
 * used what it had; of any other the time between is a {@link Gap}.
 *
 * <p>Of several who bill each meters all VMs, and charges those that are his: whoever a VM belonged to at any instant
 * of a window charges it, so that a change of hands leaves nothing out. Where two do, they say the same.
 */
public final class ExactCollector {
    /** VMs beyond so many are not billed, and counted. */
    static final int VMS_MOST = 200_000;

    private static final int GAPS_MOST = 2 * VMS_MOST;

    /** A fact that is older when it is heard may be dated by a clock that is not ours. */
    private static final Duration DATED_WITHIN = Duration.ofSeconds(3);

    private final Terms terms;
    private final Windows windows;
    private final Holdings holdings;
    private final Map<VmId, VmUse> latest = new HashMap<>();
    private final Map<VmId, Meter> meters = new LinkedHashMap<>();
    private final Endings endings = new Endings();
    private final RollCall<VmId> roll = new RollCall<>();
    private final Changed changed = new Changed();
    private final List<Gap> gaps = new ArrayList<>();
    private Optional<Instant> heardUntil = Optional.empty();
    private Optional<Gap.Cause> missing = Optional.of(Gap.Cause.RESTART);
    private Instant windowStart;
    private boolean listed;
    private boolean held;
    private long refused;
    private long givenUp;

    /**
     * By what is billed.
     *
     * @param window how long a window is
     * @param staleAfter for how long nothing need be heard before changes count as missed
     * @param othersCameFirst whether somebody else billed before: the window of which this saw a part only is theirs
     * @param mine which VMs are this one's to bill now
     */
    public record Terms(Duration window, Duration staleAfter, boolean othersCameFirst, Predicate<VmId> mine) {}

    /** One that begins with nothing. */
    public ExactCollector(Terms terms, Instant now) {
        this.terms = terms;
        this.windows = new Windows(terms.window());
        this.holdings = new Holdings(terms.mine());
        this.windowStart = windows.endBefore(now);
    }

    /**
     * One that goes on where another stopped, or was stopped. Where others came first, they did so meanwhile.
     *
     * @param heardUntil the last instant at which changes were heard of
     */
    public static ExactCollector resume(Terms terms, List<MeterState> meters, Instant heardUntil, Instant now) {
        var collector = new ExactCollector(terms, now);
        if (terms.othersCameFirst()) {
            meters.forEach(state -> collector.changed.at(state.key().vm()));
        } else {
            meters.forEach(state -> collector.changed.toldBefore(state.key().vm()));
            collector.heardUntil = Optional.of(heardUntil);
            collector.windowStart = collector.windows.endBefore(heardUntil);
            meters.forEach(state -> collector.begin(new Meter(state)));
        }
        return collector;
    }

    /** A VM is so now. */
    public void seen(VmUse fact, Instant now) {
        if (endings.isLate(fact)) {
            return;
        }
        roll.named(fact.vm());
        var before = latest.get(fact.vm());
        if (before == null && latest.size() >= VMS_MOST) {
            refused++;
            return;
        }
        if (before != null && fact.version() <= before.version()) {
            return;
        }
        latest.put(fact.vm(), fact);
        if (missing.isEmpty()) {
            closeUntil(now);
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
                .or(() -> Optional.ofNullable(meters.get(vm)).map(Meter::version));
    }

    private void strike(VmId vm, Instant now) {
        roll.struck(vm);
        latest.remove(vm);
        if (missing.isEmpty()) {
            closeUntil(now);
            end(vm, now);
            holdings.forget(vm);
        }
    }

    /** A full listing is through: what neither it nor the one before named is gone, and answered. */
    public Set<VmId> listed(Instant now) {
        listed = true;
        var gone = roll.listed();
        gone.forEach(vm -> strike(vm, now));
        return gone;
    }

    /** Every change up to now was heard of, or never will be. */
    public void watched(Instant now) {
        notice(now);
        if (missing.isPresent() && listed) {
            goOn(missing.orElseThrow(), now);
        }
        if (missing.isEmpty()) {
            heardUntil = Optional.of(now);
            closeUntil(now);
        }
    }

    /** Time goes by. */
    public void tick(Instant now) {
        notice(now);
        holdings.weigh(meters.keySet());
    }

    /** What was said in a silence may be lost: only a listing tells what has changed. */
    private void notice(Instant now) {
        boolean silent = heardUntil
                .filter(heard -> Duration.between(heard, now).compareTo(terms.staleAfter()) > 0)
                .isPresent();
        if (silent && missing.isEmpty()) {
            missing = Optional.of(Gap.Cause.WATCH);
            listed = false;
        }
    }

    /** While nobody takes charges, windows grow instead of being closed. */
    public void hold(boolean holds) {
        held = holds;
    }

    /** Reads all meters now, for nobody goes on here, nor elsewhere: what there is of the window is billed. */
    public void flush(Instant now) {
        held = false;
        if (missing.isEmpty()) {
            heardUntil = Optional.of(now);
        }
        heardUntil.ifPresent(until -> {
            closeUntil(until);
            meters.values().stream()
                    .filter(meter -> meter.ranUntil(until) || meter.ranUntil(meter.addedUntil()))
                    .forEach(meter -> read(meter, later(until, meter.addedUntil())));
        });
    }

    /** What is to be billed, the earliest first, and is not told again. */
    public List<Charge> takeDue() {
        return holdings.takeDue();
    }

    /** What was found not to be billed, and is not told again. */
    public List<Gap> takeGaps() {
        var taken = List.copyOf(gaps);
        gaps.clear();
        return taken;
    }

    /** The meters that changed since this was asked last; those that ended are empty. */
    public Map<VmId, Optional<MeterState>> takeChanged() {
        return changed.take(this::state);
    }

    /** The last instant at which changes were heard of; empty before there was one. */
    public Optional<Instant> heardUntil() {
        return heardUntil;
    }

    /** Why changes are being missed, if they are. */
    public Optional<Gap.Cause> missing() {
        return missing;
    }

    /** How many VMs are metered. */
    public int metered() {
        return meters.size();
    }

    /** All meters as they stand. */
    public List<MeterState> meters() {
        return meters.values().stream().map(Meter::state).toList();
    }

    /** How often a VM was not taken in, as there are too many. */
    public long refused() {
        return refused;
    }

    /** How many charges and gaps were given up, as nobody took any for too long. */
    public long givenUp() {
        return givenUp + holdings.givenUp();
    }

    private Optional<MeterState> state(VmId vm) {
        return Optional.ofNullable(meters.get(vm)).map(Meter::state);
    }

    private void closeUntil(Instant until) {
        if (held || !windows.endBefore(until).isAfter(windowStart)) {
            return;
        }
        var read = meters.values().stream()
                .map(Meter::addedUntil)
                .max(Instant::compareTo)
                .orElse(windowStart);
        windows.ends(windowStart, read, until).forEach(this::close);
    }

    private void close(Instant end) {
        // Who resumes may find meters read at this end already: another charge would have the key of the next one.
        meters.values().stream().filter(meter -> meter.ranUntil(end)).forEach(meter -> read(meter, end));
        holdings.windowOver();
        windowStart = end;
    }

    private void read(Meter meter, Instant at) {
        boolean theirs = theirs(meter);
        holdings.charge(meter.charge(at), theirs);
        changed.at(meter.key().vm());
    }

    private static Instant later(Instant one, Instant other) {
        return one.isBefore(other) ? other : one;
    }

    private boolean theirs(Meter meter) {
        return meter.isBlind() && terms.othersCameFirst();
    }

    private void apply(VmUse fact, Instant now) {
        var meter = meters.get(fact.vm());
        if (meter == null) {
            var least = endings.of(fact.vm()).map(ended -> later(ended, windowStart));
            begin(fact, dated(fact, least.orElse(windowStart), now), false);
        } else if (fact.use()
                .filter(use -> use.endpoint().equals(meter.key().endpoint()))
                .isPresent()) {
            meter.runsAt(fact.use().orElseThrow().milliCpu(), fact.version(), now);
            changed.at(fact.vm());
        } else {
            var at = dated(fact, meter.addedUntil(), now);
            end(fact.vm(), at);
            begin(fact, at, false);
        }
    }

    /** Whoever sees the same change cuts at the same instant, unless his clock is another one. */
    private static Instant dated(VmUse fact, Instant least, Instant now) {
        var age = Duration.between(fact.changedAt(), now);
        var at = age.isNegative() || age.compareTo(DATED_WITHIN) > 0 ? now : fact.changedAt();
        return later(at, least);
    }

    private void begin(VmUse fact, Instant at, boolean blind) {
        fact.use()
                .ifPresent(use -> begin(
                        new Meter(new MeterKey(fact.vm(), use.endpoint()), fact.version(), use.milliCpu(), at, blind)));
    }

    private void begin(Meter meter) {
        var vm = meter.key().vm();
        meters.put(vm, meter);
        holdings.began(vm);
        changed.at(vm);
    }

    private void end(VmId vm, Instant at) {
        var meter = meters.remove(vm);
        if (meter == null) {
            return;
        }
        boolean theirs = theirs(meter);
        var until = later(at, meter.addedUntil());
        var last = meter.end(until);
        // What is left over alone makes no charge, which would have the key of one that begins here.
        if (until.isAfter(last.start())) {
            holdings.charge(last, theirs);
        }
        endings.ended(vm, until);
        holdings.ended(vm);
        changed.ended(vm);
    }

    /** After changes were missed: what has not changed goes on, the rest begins anew. */
    private void goOn(Gap.Cause cause, Instant now) {
        missing = Optional.empty();
        var before = Set.copyOf(meters.keySet());
        for (var meter : List.copyOf(meters.values())) {
            var fact = Optional.ofNullable(latest.get(meter.key().vm()));
            if (fact.filter(known -> known.version() == meter.version()).isEmpty()) {
                cut(meter, cause, now);
            }
        }
        closeUntil(now);
        latest.values().stream().filter(fact -> !meters.containsKey(fact.vm())).forEach(fact -> {
            begin(fact, now, cause == Gap.Cause.RESTART);
            if (!before.contains(fact.vm()) && holdings.isOurs(fact.vm())) {
                tellOfBefore(fact, cause, now);
            }
        });
    }

    /** It was not metered when changes were heard of last: since when it is what it is, nobody knows. */
    private void tellOfBefore(VmUse fact, Gap.Cause cause, Instant now) {
        heardUntil.ifPresent(heard -> fact.use()
                .ifPresent(use -> add(new Gap(
                        new MeterKey(fact.vm(), use.endpoint()), heard, later(now, heard), use.milliCpu(), cause))));
    }

    private void cut(Meter meter, Gap.Cause cause, Instant now) {
        var vm = meter.key().vm();
        var known = later(heardUntil.orElse(meter.addedUntil()), meter.addedUntil());
        end(vm, known);
        if (holdings.isOurs(vm)) {
            add(new Gap(meter.key(), known, later(now, known), meter.milliCpu(), cause));
        }
        if (!latest.containsKey(vm)) {
            holdings.forget(vm);
        }
    }

    private void add(Gap gap) {
        if (gaps.size() < GAPS_MOST) {
            gaps.add(gap);
        } else {
            givenUp++;
        }
    }
}
