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
 * Bills as the reference does: between two consecutive samples, the smaller of both.
 *
 * <p>A sample without a key ends its chain: nothing is billed until two consecutive samples contain the key again. A
 * slice counts in full in the window in which it ends, so a key may be in use for longer than a window lasts. Whole
 * seconds are billed, rounded half up; the remainder is lost.
 *
 * <p>Used by one thread. If the clock steps back, this collector's time stands still until the clock has caught up, so
 * that nothing is billed twice.
 */
public final class ReferenceCollector {
    private static final BigInteger MILLI_CPU_NS_PER_CPU_SECOND = BigInteger.valueOf(1_000_000_000_000L);
    private static final BigInteger NS_PER_SECOND = BigInteger.valueOf(1_000_000_000L);

    private Instant windowStart;
    private Instant lastSample;
    private Map<MeterKey, Long> present = Map.of();
    private Map<MeterKey, WindowUse> held = new LinkedHashMap<>();

    /** Begins the first window, without samples. */
    public ReferenceCollector(Instant windowStart) {
        this.windowStart = windowStart;
        this.lastSample = windowStart;
    }

    /** Adds a sample: the keys in scope with their milli-CPU. */
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

    /** Ends the window and begins the next. Returns a usage record for each key with a slice in it. Chains continue. */
    public List<UsageRecord> push(Instant now) {
        var stop = later(windowStart, now);
        var charges = new ArrayList<UsageRecord>(held.size());
        held.forEach((key, use) -> charges.add(charge(key, use, stop)));
        windowStart = stop;
        held = new LinkedHashMap<>();
        return charges;
    }

    /**
     * Ends the window early, because no further sample follows; the reference drops this use at its shutdown. Use since
     * the last sample is not billed, so callers take one more sample before if they can.
     */
    public List<UsageRecord> flush(Instant now) {
        var charges = push(now);
        present = Map.of();
        return charges;
    }

    /** Returns the present state. */
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
