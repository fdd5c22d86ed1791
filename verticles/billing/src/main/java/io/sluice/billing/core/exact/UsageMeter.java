package io.sluice.billing.core.exact;

import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * Adds up the use of one key from its start to its end. The last {@link ExactCollector#LAG} is not added up yet, so
 * that the meter can still be ended before the latest changes of size.
 */
final class UsageMeter {
    /** One vCPU for one second, in milli-CPU times nanoseconds. */
    private static final long COMPUTE_SECOND = 1_000_000_000_000L;

    private static final long SECOND = 1_000_000_000L;

    private final MeterKey key;
    private final Deque<UsageMeterState.Step> steps = new ArrayDeque<>();
    private long version;
    private long milliCpu;
    private Instant start;
    private Instant addedUntil;
    private BigInteger milliCpuNs;
    private long activeNs;
    private long leftMilliCpuNs;
    private long leftActiveNs;

    UsageMeter(MeterKey key, long version, long milliCpu, Instant start) {
        this(new UsageMeterState(key, version, milliCpu, start, start, BigInteger.ZERO, 0, 0, 0, List.of()));
    }

    /** Creates a usage meter from a checkpoint. */
    UsageMeter(UsageMeterState state) {
        this.key = state.key();
        this.version = state.version();
        this.milliCpu = state.milliCpu();
        this.start = state.start();
        this.addedUntil = state.addedUntil();
        this.milliCpuNs = state.milliCpuNs();
        this.activeNs = state.activeNs();
        this.leftMilliCpuNs = state.leftMilliCpuNs();
        this.leftActiveNs = state.leftActiveNs();
        this.steps.addAll(state.steps());
    }

    UsageMeterState state() {
        return new UsageMeterState(
                key,
                version,
                milliCpu,
                start,
                addedUntil,
                milliCpuNs,
                activeNs,
                leftMilliCpuNs,
                leftActiveNs,
                List.copyOf(steps));
    }

    MeterKey key() {
        return key;
    }

    long version() {
        return version;
    }

    /** The present size of the VM. */
    long milliCpu() {
        return steps.isEmpty() ? milliCpu : steps.getLast().milliCpu();
    }

    /** The last instant at which the size of the VM is known to have changed or was added up. */
    Instant knownUntil() {
        return steps.isEmpty() ? addedUntil : steps.getLast().at();
    }

    /** The earliest instant at which the usage meter may be ended. */
    Instant addedUntil() {
        return addedUntil;
    }

    boolean hasAdded() {
        return addedUntil.isAfter(start);
    }

    /** Sets the size of the VM from an instant on. */
    void runsAt(long newMilliCpu, long newVersion, Instant at) {
        version = newVersion;
        addUntil(at.minus(ExactCollector.LAG));
        if (newMilliCpu != milliCpu()) {
            steps.addLast(new UsageMeterState.Step(at.isBefore(knownUntil()) ? knownUntil() : at, newMilliCpu));
        }
    }

    /** Drops the use before an instant, because other processes bill it. */
    void skipTo(Instant at) {
        if (at.isAfter(start) && !at.isBefore(addedUntil)) {
            charge(at);
        }
    }

    /**
     * Returns the usage record up to an instant, in whole seconds rounded down. The remainder is carried to the next
     * record.
     */
    UsageRecord charge(Instant at) {
        addUntil(at);
        var seconds = milliCpuNs.divideAndRemainder(BigInteger.valueOf(COMPUTE_SECOND));
        var charge = charge(at, seconds[0].longValueExact(), activeNs / SECOND);
        leftMilliCpuNs = seconds[1].longValueExact();
        leftActiveNs = activeNs % SECOND;
        milliCpuNs = seconds[1];
        activeNs = leftActiveNs;
        start = at;
        return charge;
    }

    /** Returns the last usage record, with the carried remainder, rounded half up to whole seconds. */
    UsageRecord end(Instant at) {
        addUntil(at);
        var rounded = milliCpuNs.add(BigInteger.valueOf(COMPUTE_SECOND / 2)).divide(BigInteger.valueOf(COMPUTE_SECOND));
        return charge(at, rounded.longValueExact(), (activeNs + SECOND / 2) / SECOND);
    }

    /** Whether there is use to bill up to an instant. */
    boolean ranUntil(Instant at) {
        return at.isAfter(start);
    }

    private UsageRecord charge(Instant at, long computeSeconds, long activeSeconds) {
        return new UsageRecord(
                key,
                start,
                at,
                milliCpuNs.subtract(BigInteger.valueOf(leftMilliCpuNs)),
                activeNs - leftActiveNs,
                computeSeconds,
                activeSeconds);
    }

    private void addUntil(Instant at) {
        while (!steps.isEmpty() && !steps.getFirst().at().isAfter(at)) {
            var step = steps.removeFirst();
            addPiece(step.at());
            milliCpu = step.milliCpu();
        }
        addPiece(at);
    }

    private void addPiece(Instant until) {
        if (until.isAfter(addedUntil)) {
            long ns = Duration.between(addedUntil, until).toNanos();
            milliCpuNs = milliCpuNs.add(BigInteger.valueOf(milliCpu).multiply(BigInteger.valueOf(ns)));
            activeNs += ns;
            addedUntil = until;
        }
    }
}
