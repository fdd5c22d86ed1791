package io.sluice.simulation.engine;

import java.time.Duration;
import java.time.Instant;

/** Virtual time in nanoseconds, and what the cores know it as. */
public final class Seconds {
    private static final long NANOS = 1_000_000_000L;
    private static final long MILLIS = 1_000_000L;
    private static final long BEGIN = 1_790_000_000L;

    private Seconds() {}

    /** In nanoseconds. */
    public static long of(long seconds) {
        return seconds * NANOS;
    }

    /** Milliseconds in nanoseconds. */
    public static long ofMillis(long millis) {
        return millis * MILLIS;
    }

    /** A duration in nanoseconds; what is longer than centuries is cut to them. */
    public static long of(Duration duration) {
        return duration.getSeconds() > Long.MAX_VALUE / NANOS - 1 ? Long.MAX_VALUE / 4 : duration.toNanos();
    }

    /** What a clock shows that many nanoseconds after the beginning. */
    public static Instant instant(long nanos) {
        return Instant.ofEpochSecond(BEGIN + Math.floorDiv(nanos, NANOS), Math.floorMod(nanos, NANOS));
    }

    /** The nanoseconds after the beginning at which a clock shows that. */
    public static long nanos(Instant instant) {
        return (instant.getEpochSecond() - BEGIN) * NANOS + instant.getNano();
    }
}
