package io.sluice.billing.core.exact;

import io.sluice.billing.core.Gap;
import io.sluice.billing.core.MeterKey;
import io.sluice.billing.core.UsageRecord;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Adds up the use of one key from its start to its end. Changes of size are kept until the window is over, so that it
 * can be closed late, and that the meter can still be ended before the latest of them.
 */
final class UsageMeter {
    /** One vCPU for one second, in milli-CPU times nanoseconds. */
    private static final long COMPUTE_SECOND = 1_000_000_000_000L;

    private static final long SECOND = 1_000_000_000L;

    /** Of more changes of size within a window, the earliest are added up. */
    private static final int STEPS_MOST = 1_000;

    private final MeterKey key;
    private final Deque<UsageMeterState.Step> steps = new ArrayDeque<>();
    private long version;
    private long milliCpu;
    private Instant sizeSince;
    private Instant start;
    private Instant addedUntil;
    private BigInteger milliCpuNs;
    private long activeNs;
    private long leftMilliCpuNs;
    private long leftActiveNs;

    UsageMeter(MeterKey key, long version, long milliCpu, Instant sizeSince, Instant start) {
        this(new UsageMeterState(key, version, milliCpu, sizeSince, start, start, BigInteger.ZERO, 0, 0, 0, List.of()));
    }

    /** Creates a usage meter from a checkpoint. */
    UsageMeter(UsageMeterState state) {
        this.key = state.key();
        this.version = state.version();
        this.milliCpu = state.milliCpu();
        this.sizeSince = state.sizeSince();
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
                sizeSince,
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

    /** Sets the size of the VM from an instant on. */
    void runsAt(long newMilliCpu, long newVersion, Instant at) {
        version = newVersion;
        if (newMilliCpu != milliCpu()) {
            step(at, newMilliCpu);
        }
    }

    /**
     * The VM had a size, or zero, from an instant on, and its change arrived late. Returns the difference from what is
     * added up already.
     */
    Optional<Gap> late(long newMilliCpu, Instant at) {
        var from = UsageMeters.later(at, sizeSince);
        long more = newMilliCpu - milliCpu();
        if (more == 0 || knownUntil().isAfter(addedUntil) || !from.isBefore(addedUntil)) {
            return Optional.empty();
        }
        sizeSince = from;
        return Optional.of(new Gap(key, from, addedUntil, more, Gap.Cause.LATE));
    }

    /** Counts nothing from an instant to another, from which the VM has this size. */
    void unknown(Instant from, Instant until, long newMilliCpu, long newVersion) {
        version = newVersion;
        if (from.isBefore(until)) {
            step(from, UsageMeterState.UNKNOWN);
        }
        step(until, newMilliCpu);
    }

    private void step(Instant at, long newMilliCpu) {
        if (steps.size() >= STEPS_MOST) {
            addUntil(steps.getFirst().at());
        }
        steps.addLast(new UsageMeterState.Step(at.isBefore(knownUntil()) ? knownUntil() : at, newMilliCpu));
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

    /** Whether the usage record can be made up to an instant. */
    boolean ranUntil(Instant at) {
        return at.isAfter(start) && !at.isBefore(addedUntil);
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
            // At the end of what is added up there are only sizes that arrived late.
            sizeSince = step.at().isAfter(addedUntil) ? step.at() : sizeSince;
            addPiece(step.at());
            milliCpu = step.milliCpu();
        }
        addPiece(at);
    }

    private void addPiece(Instant until) {
        if (until.isAfter(addedUntil)) {
            long ns = Duration.between(addedUntil, until).toNanos();
            if (milliCpu != UsageMeterState.UNKNOWN) {
                milliCpuNs = milliCpuNs.add(BigInteger.valueOf(milliCpu).multiply(BigInteger.valueOf(ns)));
                activeNs += ns;
            }
            addedUntil = until;
        }
    }
}
