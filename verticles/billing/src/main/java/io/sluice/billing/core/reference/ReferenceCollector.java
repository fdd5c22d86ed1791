package io.sluice.billing.core.reference;

import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Bills as the reference does: between two looks that follow each other, for the lesser of what both saw.
 *
 * <p>A look that does not see a key ends its chain: nothing is billed until two looks in a row have seen it again. A
 * slice counts whole in the window in which it ends, so a key may be in use for longer than a window lasts. Whole
 * seconds are charged, halves up, and what is left of a second is lost.
 *
 * <p>For one thread. A clock that steps back stands still here until it is where it was, so that nothing is billed
 * twice.
 */
public final class ReferenceCollector {
    private static final BigInteger MILLI_CPU_NS_PER_CPU_SECOND = BigInteger.valueOf(1_000_000_000_000L);
    private static final BigInteger NS_PER_SECOND = BigInteger.valueOf(1_000_000_000L);

    private Instant windowStart;
    private Instant lastSample;
    private Map<MeterKey, Long> present = Map.of();
    private Map<MeterKey, WindowUse> held = new LinkedHashMap<>();

    /** Begins its first window; nothing was seen yet. */
    public ReferenceCollector(Instant windowStart) {
        this.windowStart = windowStart;
        this.lastSample = windowStart;
    }

    /** Looks: these are in scope now, with so much CPU each. */
    public void sample(Instant now, Map<MeterKey, Long> milliCpuPresent) {
        milliCpuPresent.forEach(ReferenceCollector::check);
        var at = later(lastSample, now);
        milliCpuPresent.forEach((key, milliCpu) -> {
            var before = present.get(key);
            if (before != null) {
                add(key, new UsageSlice(lastSample, at, Math.min(before, milliCpu)));
            }
        });
        present = Map.copyOf(milliCpuPresent);
        lastSample = at;
    }

    private static void check(MeterKey key, long milliCpu) {
        if (milliCpu < 0) {
            throw new IllegalArgumentException(
                    "milliCpu of " + key.vm().label() + " must not be negative: " + milliCpu);
        }
    }

    private void add(MeterKey key, UsageSlice slice) {
        held.merge(key, WindowUse.first(slice), (before, first) -> before.with(slice));
    }

    /** Ends the window and begins the next: a charge for each key with a slice in it. Chains go on. */
    public List<UsageRecord> push(Instant now) {
        var stop = later(windowStart, now);
        var charges = new ArrayList<UsageRecord>(held.size());
        held.forEach((key, use) -> charges.add(charge(key, use, stop)));
        windowStart = stop;
        held = new LinkedHashMap<>();
        return charges;
    }

    /**
     * Ends the window early, as nobody will look again: what the reference drops at its shutdown is charged here. Use
     * since the last look is not, so whoever can looks once more before.
     */
    public List<UsageRecord> flush(Instant now) {
        var charges = push(now);
        present = Map.of();
        return charges;
    }

    /** What it knows now. */
    public ReferenceState state() {
        return new ReferenceState(windowStart, lastSample, present, held);
    }

    private UsageRecord charge(MeterKey key, WindowUse use, Instant stop) {
        return new UsageRecord(
                key,
                windowStart,
                stop,
                use.milliCpuNs(),
                use.activeNs(),
                halfUp(use.milliCpuNs(), MILLI_CPU_NS_PER_CPU_SECOND),
                halfUp(BigInteger.valueOf(use.activeNs()), NS_PER_SECOND));
    }

    private static long halfUp(BigInteger amount, BigInteger unit) {
        return amount.shiftLeft(1).add(unit).divide(unit.shiftLeft(1)).longValueExact();
    }

    private static Instant later(Instant one, Instant other) {
        return other.isBefore(one) ? one : other;
    }
}
