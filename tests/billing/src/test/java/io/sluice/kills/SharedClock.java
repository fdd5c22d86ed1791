package io.sluice.kills;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * One clock for several processes of a Linux machine: the JVM's monotonic clock is the machine's there. It remembers
 * what it said last to each thread.
 *
 * @param wallNanos what it says, in nanoseconds since 1970
 * @param machineNanos when the monotonic clock says this
 */
record SharedClock(long wallNanos, long machineNanos, ThreadLocal<Instant> lastSaid) implements InstantSource {
    SharedClock(long wallNanos, long machineNanos) {
        this(wallNanos, machineNanos, new ThreadLocal<>());
    }

    long nanos() {
        return wallNanos + System.nanoTime() - machineNanos;
    }

    @Override
    public Instant instant() {
        var now = Nanos.instant(nanos());
        lastSaid.set(now);
        return now;
    }

    /** What it said last to this thread. */
    long said() {
        return Nanos.of(Optional.ofNullable(lastSaid.get()).orElseThrow());
    }
}
