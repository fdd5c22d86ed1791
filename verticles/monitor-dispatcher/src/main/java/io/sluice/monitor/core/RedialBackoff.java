package io.sluice.monitor.core;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * The wait before the next attempt: {@code min * 2^(failures - 1)}, at most {@code max}, and of that a random part from
 * one half to all of it. So sessions that were lost together are not dialled together.
 */
record RedialBackoff(Duration min, Duration max) {
    private static final int DOUBLINGS_MAX = 20;
    private static final int SOON = 4;

    /** The wait after this many failures in a row; after none, a random part of a quarter of {@code min}. */
    Duration waitAfter(int failures, RandomGenerator random) {
        if (failures == 0) {
            return part(min.dividedBy(SOON), random.nextDouble());
        }
        var doubled = min.multipliedBy(1L << Math.min(failures - 1, DOUBLINGS_MAX));
        var whole = doubled.compareTo(max) > 0 ? max : doubled;
        return part(whole, 0.5 + random.nextDouble() / 2);
    }

    private static Duration part(Duration whole, double share) {
        return Duration.ofNanos((long) (whole.toNanos() * share));
    }
}
