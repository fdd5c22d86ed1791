package io.sluice.ledger.core.histories;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ledger.core.Invariants;
import io.sluice.ledger.core.LedgerCommand;
import io.sluice.ledger.core.LedgerNotice;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Any history of any commands, valid or not, keeps the state consistent; a failure prints the seed and the step. */
class RandomHistoriesTest {
    private static final int STEPS = 400;

    static LongStream seeds() {
        return LongStream.rangeClosed(1, 100);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void keepsItsLedger(long seed) {
        var history = new RandomHistory(seed);
        for (int step = 0; step < STEPS; step++) {
            apply(history, history.next(), "seed %d step %d".formatted(seed, step));
        }
    }

    private static <A> void apply(RandomHistory history, LedgerCommand<A> command, String where) {
        var before = history.state();
        var outcome = history.outcome(command);
        for (boolean whole : new boolean[] {true, false}) {
            assertThat(Invariants.check(before, command, outcome, history.rules(), whole))
                    .as("%s after %s on %s", where, command, before)
                    .isEmpty();
        }
        assertThat(outcome.notices()).as(where).noneMatch(notice -> notice instanceof LedgerNotice.InvariantsBroken);
        assertThat(history.outcome(command)).as(where).isEqualTo(outcome);
        history.apply(outcome);
    }
}
