package io.sluice.neonvm.api;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Waits that double up to a bound. Each is shortened by a random part, so that many waiters spread out. */
public final class WatchBackoff {
    private static final double JITTER = 0.3;

    private final Duration first;
    private final Duration longest;
    private final RandomGenerator random;
    private Duration next;

    public WatchBackoff(Duration first, Duration longest, RandomGenerator random) {
        this.first = first;
        this.longest = longest;
        this.random = random;
        this.next = first;
    }

    public void reset() {
        next = first;
    }

    public long nextMs() {
        var wait = next;
        var doubled = next.multipliedBy(2);
        next = doubled.compareTo(longest) > 0 ? longest : doubled;
        return Math.max(1, (long) (wait.toMillis() * (1 - JITTER * random.nextDouble())));
    }
}
