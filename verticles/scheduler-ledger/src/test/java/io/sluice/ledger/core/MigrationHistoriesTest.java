package io.sluice.ledger.core;

import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A VM that moves counts where it is, where it will be, or at both, and never at neither: whatever order the facts
 * about its two pods come in, however often, with migrations that fail, and with the books of either node lost on the
 * way.
 */
@DisplayName("F15: a migrating VM counts at least once, whatever becomes of its migration")
class MigrationHistoriesTest {
    private static final int STEPS = 400;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 300);
    }

    /** Room was held for it: nothing at all is promised twice, on either node. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void oursCountsWhereItIsAndIsNeverOvercommitted(long seed) {
        play(new MigrationWorld(seed, true, false));
    }

    /** Nothing was held, and books are lost: the larger of its two members covers it. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void othersCountSomewhereAlsoWhenBooksAreLost(long seed) {
        play(new MigrationWorld(seed, seed % 2 == 0, true));
    }

    private static void play(MigrationWorld world) {
        for (int step = 0; step < STEPS; step++) {
            world.step(step);
        }
    }
}
