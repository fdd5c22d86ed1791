package io.sluice.bench.measurement;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * By how much a thread that sleeps for a millisecond wakes too late: what the machine and the JVM's pauses add to any
 * latency of this process.
 */
public final class Hiccups {
    private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int COUNT_MAX = 2_000_000;

    private final Latencies late = new Latencies(COUNT_MAX);

    private Hiccups() {}

    /** Measures from now on, until the process ends. */
    public static Hiccups start() {
        var hiccups = new Hiccups();
        Thread.ofPlatform().daemon().name("hiccups").start(hiccups::measure);
        return hiccups;
    }

    public Latencies late() {
        return late;
    }

    private void measure() {
        for (long before = System.nanoTime(); ; ) {
            LockSupport.parkNanos(SLEEP_NANOS);
            long now = System.nanoTime();
            late.add(Math.max(0, now - before - SLEEP_NANOS));
            before = now;
        }
    }
}
