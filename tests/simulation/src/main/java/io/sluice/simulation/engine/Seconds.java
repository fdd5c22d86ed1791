package io.sluice.simulation.engine;

import java.time.Duration;
import java.time.Instant;

/** Converts between virtual time in nanoseconds and the types of the cores. */
public final class Seconds {
    private static final long NANOS = 1_000_000_000L;
    private static final long MILLIS = 1_000_000L;
    private static final long BEGIN = 1_790_000_000L;

    private Seconds() {}

    /** Seconds in nanoseconds. */
    public static long of(long seconds) {
        return seconds * NANOS;
    }

    /** Milliseconds in nanoseconds. */
    public static long ofMillis(long millis) {
        return millis * MILLIS;
    }

    /** A duration in nanoseconds; one beyond the range of a long is cut to it. */
    public static long of(Duration duration) {
        return duration.getSeconds() > Long.MAX_VALUE / NANOS - 1 ? Long.MAX_VALUE / 4 : duration.toNanos();
    }

    /** The clock time that many nanoseconds after the start. */
    public static Instant instant(long nanos) {
        return Instant.ofEpochSecond(BEGIN + Math.floorDiv(nanos, NANOS), Math.floorMod(nanos, NANOS));
    }

    /** The nanoseconds from the start to that clock time. */
    public static long nanos(Instant instant) {
        return (instant.getEpochSecond() - BEGIN) * NANOS + instant.getNano();
    }
}
