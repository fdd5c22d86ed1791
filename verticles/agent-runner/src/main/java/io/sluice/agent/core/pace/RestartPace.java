package io.sluice.agent.core.pace;

import io.sluice.shell.config.Durations;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How soon a runner follows another one.
 *
 * @param min a runner that ended early is followed no sooner than this after it started
 * @param max the wait is drawn between min and this, so that many do not come back at once
 * @param cap a runner that was superseded is followed after that wait, doubled each time, up to this
 * @param freeAfter a runner that lived longer than this is followed at once
 */
public record RestartPace(Duration min, Duration max, Duration cap, Duration freeAfter) {
    private static final int DOUBLINGS_MAX = 16;

    public RestartPace {
        if (min.isNegative() || max.compareTo(min) < 0 || cap.compareTo(max) < 0) {
            throw new IllegalArgumentException("agent.restartMin=" + Durations.text(min) + ", agent.restartMax="
                    + Durations.text(max) + " and agent.restartCap=" + Durations.text(cap) + " must not fall");
        }
        if (freeAfter.isNegative()) {
            throw new IllegalArgumentException(
                    "agent.restartFreeAfter=" + Durations.text(freeAfter) + " must not be negative");
        }
    }

    /** The wait after a fault, or another end that a new runner repairs, of a runner that lived this long. */
    public Duration afterFault(Duration lived, RandomGenerator random) {
        if (lived.compareTo(freeAfter) >= 0) {
            return Duration.ZERO;
        }
        var rest = drawn(random).minus(lived);
        return rest.isNegative() ? Duration.ZERO : rest;
    }

    /** The wait after a runner that another one superseded. */
    public Duration afterSuperseded(int inARow, RandomGenerator random) {
        var wait = drawn(random).multipliedBy(1L << Math.min(inARow, DOUBLINGS_MAX));
        return wait.compareTo(cap) > 0 ? cap : wait;
    }

    private Duration drawn(RandomGenerator random) {
        long spread = max.minus(min).toNanos();
        return spread == 0 ? min : min.plusNanos(random.nextLong(spread));
    }
}
