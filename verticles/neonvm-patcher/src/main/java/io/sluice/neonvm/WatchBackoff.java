package io.sluice.neonvm;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Waits that double up to a bound. Each is shortened by a random part, so that many waiters spread out. */
final class WatchBackoff {
    private static final double JITTER = 0.3;

    private final Duration first;
    private final Duration longest;
    private final RandomGenerator random;
    private Duration next;

    WatchBackoff(Duration first, Duration longest, RandomGenerator random) {
        this.first = first;
        this.longest = longest;
        this.random = random;
        this.next = first;
    }

    void reset() {
        next = first;
    }

    long nextMs() {
        var wait = next;
        var doubled = next.multipliedBy(2);
        next = doubled.compareTo(longest) > 0 ? longest : doubled;
        return Math.max(1, (long) (wait.toMillis() * (1 - JITTER * random.nextDouble())));
    }
}
