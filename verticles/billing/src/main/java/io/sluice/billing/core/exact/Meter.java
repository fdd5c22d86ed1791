package io.sluice.billing.core.exact;

import io.sluice.billing.core.Charge;
import io.sluice.billing.core.MeterKey;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;

/** Adds up the use of one key, from the instant at which it starts to the one at which it is ended. */
final class Meter {
    /** A vCPU for a second, in milli-CPU times nanoseconds. */
    private static final long COMPUTE_SECOND = 1_000_000_000_000L;

    private static final long SECOND = 1_000_000_000L;

    private final MeterKey key;
    private final boolean blind;
    private long version;
    private long milliCpu;
    private Instant start;
    private Instant addedUntil;
    private BigInteger milliCpuNs;
    private long activeNs;
    private long leftMilliCpuNs;
    private long leftActiveNs;
    private boolean first = true;

    /** @param blind whether the VM may have run before: whoever looked then is to be billed for that */
    Meter(MeterKey key, long version, long milliCpu, Instant start, boolean blind) {
        this(new MeterState(key, version, milliCpu, start, start, BigInteger.ZERO, 0, 0, 0), blind);
    }

    /** One that goes on. */
    Meter(MeterState state) {
        this(state, false);
    }

    private Meter(MeterState state, boolean blind) {
        this.key = state.key();
        this.blind = blind;
        this.version = state.version();
        this.milliCpu = state.milliCpu();
        this.start = state.start();
        this.addedUntil = state.addedUntil();
        this.milliCpuNs = state.milliCpuNs();
        this.activeNs = state.activeNs();
        this.leftMilliCpuNs = state.leftMilliCpuNs();
        this.leftActiveNs = state.leftActiveNs();
    }

    MeterState state() {
        return new MeterState(
                key, version, milliCpu, start, addedUntil, milliCpuNs, activeNs, leftMilliCpuNs, leftActiveNs);
    }

    MeterKey key() {
        return key;
    }

    long version() {
        return version;
    }

    long milliCpu() {
        return milliCpu;
    }

    Instant addedUntil() {
        return addedUntil;
    }

    /** Whether the charge to come begins where this meter happened to begin to look. */
    boolean isBlind() {
        return blind && first;
    }

    /** From then on the VM has that much. */
    void runsAt(long newMilliCpu, long newVersion, Instant at) {
        addUntil(at);
        milliCpu = newMilliCpu;
        version = newVersion;
    }

    /** What is charged up to then; what makes no whole second is left for the next charge. */
    Charge charge(Instant at) {
        addUntil(at);
        var seconds = milliCpuNs.divideAndRemainder(BigInteger.valueOf(COMPUTE_SECOND));
        var charge = charge(at, seconds[0].longValueExact(), activeNs / SECOND);
        leftMilliCpuNs = seconds[1].longValueExact();
        leftActiveNs = activeNs % SECOND;
        milliCpuNs = seconds[1];
        activeNs = leftActiveNs;
        start = at;
        first = false;
        return charge;
    }

    /** The last charge, for what is left up to then, rounded to whole seconds. */
    Charge end(Instant at) {
        addUntil(at);
        var rounded = milliCpuNs.add(BigInteger.valueOf(COMPUTE_SECOND / 2)).divide(BigInteger.valueOf(COMPUTE_SECOND));
        return charge(at, rounded.longValueExact(), (activeNs + SECOND / 2) / SECOND);
    }

    /** Whether there is anything to charge up to then. */
    boolean ranUntil(Instant at) {
        return at.isAfter(start);
    }

    private Charge charge(Instant at, long computeSeconds, long activeSeconds) {
        return new Charge(
                key,
                start,
                at,
                milliCpuNs.subtract(BigInteger.valueOf(leftMilliCpuNs)),
                activeNs - leftActiveNs,
                computeSeconds,
                activeSeconds);
    }

    private void addUntil(Instant at) {
        if (at.isAfter(addedUntil)) {
            long ns = Duration.between(addedUntil, at).toNanos();
            milliCpuNs = milliCpuNs.add(BigInteger.valueOf(milliCpu).multiply(BigInteger.valueOf(ns)));
            activeNs += ns;
            addedUntil = at;
        }
    }
}
