package io.sluice.ledger.core.histories;

import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A VM that migrates counts at its source, at its target, or at both, and never at neither: in whatever order and
 * however often the observations of its two pods come, with migrations that fail, and with the state of either node
 * lost on the way.
 */
@DisplayName("F15: a migrating VM counts at least once, whatever becomes of its migration")
class MigrationHistoriesTest {
    private static final int STEPS = 400;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 300);
    }

    /** With a hold, no room is reserved twice, on either node. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void oursCountsWhereItIsAndIsNeverOvercommitted(long seed) {
        play(new MigrationWorld(seed, true, false));
    }

    /** Without a hold, and with lost states, the larger of its two reservations covers it. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void othersCountSomewhereAlsoWhenLedgerStateIsLost(long seed) {
        play(new MigrationWorld(seed, seed % 2 == 0, true));
    }

    private static void play(MigrationWorld world) {
        for (int step = 0; step < STEPS; step++) {
            world.step(step);
        }
    }
}
