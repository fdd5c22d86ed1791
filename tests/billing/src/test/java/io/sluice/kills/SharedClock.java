package io.sluice.kills;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * One clock for several processes of a Linux machine, where the JVM's monotonic clock is that of the machine. It
 * remembers its last reading for each thread.
 *
 * @param wallNanos its time at {@code machineNanos}, in nanoseconds since 1970
 * @param machineNanos the monotonic clock at that time
 * @param lastReported the last reading of each thread
 */
record SharedClock(long wallNanos, long machineNanos, ThreadLocal<Instant> lastReported) implements InstantSource {
    SharedClock(long wallNanos, long machineNanos) {
        this(wallNanos, machineNanos, new ThreadLocal<>());
    }

    long nanos() {
        return wallNanos + System.nanoTime() - machineNanos;
    }

    @Override
    public Instant instant() {
        var now = Nanos.instant(nanos());
        lastReported.set(now);
        return now;
    }

    /** The last reading of this thread. */
    long reported() {
        return Nanos.of(Optional.ofNullable(lastReported.get()).orElseThrow());
    }
}
