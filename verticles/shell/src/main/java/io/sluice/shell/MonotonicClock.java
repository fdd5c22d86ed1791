package io.sluice.shell;

import java.time.Instant;
import java.time.InstantSource;

/**
 * Starts at the wall clock's time and goes on by the monotonic clock, so that a jump of the wall clock moves no
 * deadline.
 */
public final class MonotonicClock implements InstantSource {
    private final Instant start = Instant.now();
    private final long startNanos = System.nanoTime();

    @Override
    public Instant instant() {
        return start.plusNanos(System.nanoTime() - startNanos);
    }
}
