package io.sluice.gateway.core.console;

import static io.sluice.gateway.core.console.ConsoleFeed.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecisionHistoryTest {
    private static DecisionHistory.Subject vm(int number) {
        return new DecisionHistory.Subject.Vm("default/vm-" + number);
    }

    private static Reason reason(int second) {
        return Reason.of(DecisionView.of(ConsoleFeed.denied("x", "n"), NOW.plusSeconds(second)));
    }

    @Test
    void keepsTheLastReasonsOfOne() {
        var book = new DecisionHistory();
        for (int second = 0; second < 1_000; second++) {
            book.add(vm(1), reason(second));
        }
        var kept = book.of(vm(1), Optional.empty());
        assertThat(kept).hasSize(DecisionHistory.OF_ONE_MAX);
        assertThat(kept.getFirst().at()).isEqualTo(NOW.plusSeconds(999));
        assertThat(book.total()).isEqualTo(DecisionHistory.OF_ONE_MAX);
    }

    @Test
    void forgetsFirstWhomNothingHappenedToForLongest() {
        var book = new DecisionHistory(3);
        book.add(vm(1), reason(1));
        book.add(vm(2), reason(2));
        book.add(vm(1), reason(3));
        book.add(vm(3), reason(4));
        assertThat(book.knows(vm(2))).isFalse();
        assertThat(book.of(vm(1), Optional.empty())).hasSize(2);
        assertThat(book.total()).isEqualTo(3);
    }

    @Test
    void tellsAVmFromANodeOfTheSameName() {
        var book = new DecisionHistory();
        book.add(new DecisionHistory.Subject.Node("default/vm-1"), reason(1));
        assertThat(book.knows(vm(1))).isFalse();
        assertThat(book.vmsNamed("vm-1")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void staysWithinItsBoundsWhateverHappens(long seed) {
        var random = new Random(seed);
        var book = new DecisionHistory(1_000);
        for (int second = 0; second < 20_000; second++) {
            book.add(vm((int) Math.abs(random.nextGaussian() * 20)), reason(second));
            int kept = 0;
            if (second % 500 == 0) {
                for (int number = 0; number < 200; number++) {
                    int ofOne = book.of(vm(number), Optional.empty()).size();
                    assertThat(ofOne).isLessThanOrEqualTo(DecisionHistory.OF_ONE_MAX);
                    kept += ofOne;
                }
                assertThat(book.total()).as("seed %d second %d", seed, second).isEqualTo(kept);
                assertThat(kept).isLessThanOrEqualTo(1_000);
            }
        }
    }
}
