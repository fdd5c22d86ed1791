package io.sluice.simulation;

import java.time.Duration;
import java.util.Random;

/**
 * How unkind the world is: seeded, so that a history can be played again.
 *
 * @param random where all chance comes from
 * @param lossPercent how many of a hundred messages are lost
 * @param twicePercent how many of a hundred requests are heard twice
 * @param slowPercent how many of a hundred patches take seconds on their way
 */
record Faults(Random random, int lossPercent, int twicePercent, int slowPercent) {
    private static final int QUICK_MILLIS = 40;
    private static final int SLOW_MILLIS = 20_000;

    boolean lost() {
        return random.nextInt(100) < lossPercent;
    }

    boolean twice() {
        return random.nextInt(100) < twicePercent;
    }

    boolean oneIn(int many) {
        return random.nextInt(many) == 0;
    }

    Duration hop() {
        return upTo(Duration.ofMillis(QUICK_MILLIS));
    }

    Duration patchWay() {
        return random.nextInt(100) < slowPercent ? upTo(Duration.ofMillis(SLOW_MILLIS)) : hop();
    }

    Duration upTo(Duration most) {
        return Duration.ofNanos(1 + random.nextLong(most.toNanos()));
    }
}
