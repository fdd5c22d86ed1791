package io.sluice.ledger.clustered;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: nothing is granted from state that is older than the last grant, whatever is cut, dies, comes back and merges;
 * and once nothing fails any more, all take part in one term.
 *
 * <p>Method: seeded histories of a model; {@code -Dledger.terms=N} plays N for each size.
 */
class TermHistoriesTest {
    private static final int HISTORIES = Integer.getInteger("ledger.terms", 300);
    private static final int STEPS = 1_500;

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 5})
    void whatIsGrantedRestsOnWhatWasGrantedLast(int size) {
        long granted = 0;
        long lost = 0;
        for (int seed = 0; seed < HISTORIES; seed++) {
            var world = new TermWorld(size, seed);
            for (int step = 0; step < STEPS; step++) {
                world.step();
                assertThat(world.stale)
                        .as("size %d, seed %d, step %d", size, seed, step)
                        .isZero();
            }
            assertThat(world.settles())
                    .as("size %d, seed %d settles", size, seed)
                    .isTrue();
            assertThat(world.stale)
                    .as("size %d, seed %d, at its end", size, seed)
                    .isZero();
            granted += world.granted;
            lost += world.lost;
        }
        assertThat(granted)
                .as("grants, without which the history shows nothing")
                .isGreaterThan(HISTORIES);
        if (size > 1) {
            assertThat(lost).as("state that was discarded").isPositive();
        }
    }
}
