package io.sluice.cluster.roles;

import java.time.Duration;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: the program works however its roles are split over processes. Method: {@code -Dcluster.splits} random splits
 * from {@code -Dcluster.seed} on, as many at a time as the processors allow.
 */
class RandomSplitsTest {
    private static final Duration READY = Duration.ofSeconds(300);
    private static final Duration SCALED = Duration.ofSeconds(180);

    static LongStream seeds() {
        long first = Long.getLong("cluster.seed", 1);
        return LongStream.range(first, first + Integer.getInteger("cluster.splits", 1));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @Execution(ExecutionMode.CONCURRENT)
    void startsScalesAndStops(long seed) {
        var split = Split.any(new Random(seed));
        System.out.println("seed " + seed + ": " + split);
        try (var cluster = RoleCluster.onLoopback("split-" + seed, split).start()) {
            cluster.awaitReady(READY);
            cluster.awaitScaled(SCALED);
            cluster.awaitPodScaled(cluster.lab().podSize(), SCALED);
            cluster.stop();
        }
    }
}
