package io.sluice.simulation.exhaustive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Plays every history of a few steps; {@code mvn -Pexhaustive} explores longer ones. */
class ExhaustiveTest {
    @ParameterizedTest
    @CsvSource({
        "serving, 0, 6",
        "serving, 2, 4",
        "after-a-loss, 0, 6",
        "after-a-loss, 1, 5",
        "losing, 2, 6",
        "switched-off, 0, 6",
        "reference, 1, 5",
        "reference-silent, 1, 5",
        "placing, 0, 6",
        "placing, 2, 5"
    })
    void noHistoryBreaksAPromise(String setup, int faults, int depth) {
        assertThat(Exploration.broken(setup, faults, depth)).isEmpty();
    }

    /** Shows why the clustered store must refuse the state of a process that was cut off. */
    @Test
    void aStateThatReturnsAfterItWasReplacedBreaksThePromise() {
        var broken = Exploration.broken("stale", 3, 5);

        assertThat(broken).hasSize(1);
        assertThat(broken.values().iterator().next())
                .contains("a ledger process is cut off", "its state is taken over", "the ledger holds");
    }

    /** The number of different states does not depend on the order in which threads reach them. */
    @Test
    void threadsMeetTheSameStates() {
        var one = explored(1);
        var two = explored(2);

        assertThat(two.states()).isEqualTo(one.states()).isGreaterThan(500);
        assertThat(two.tried()).isEqualTo(one.tried());
    }

    private static Exploration explored(int threads) {
        var exploration = new Exploration(Setup.named("serving").withFaults(1));
        while (exploration.depth() < 3) {
            exploration.deepen(threads, () -> false);
        }
        return exploration;
    }
}
