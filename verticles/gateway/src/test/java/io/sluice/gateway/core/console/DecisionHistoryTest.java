package io.sluice.gateway.core.console;

import static io.sluice.gateway.core.console.fleet.ConsoleFeed.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.gateway.core.console.fleet.ConsoleFeed;
import io.sluice.shell.explain.Explanation;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecisionHistoryTest {
    private static DecisionHistory.Subject vm(int number) {
        return new DecisionHistory.Subject.Vm("default/vm-" + number);
    }

    private static Explanation reason(int second) {
        var at = NOW.plusSeconds(second);
        return Explanation.ofState(at, Optional.of(at), "ROOM", "default/x", "n", "why");
    }

    private static Explanation denied(String name, int second) {
        return Explanation.of(ConsoleFeed.denied(name, "n"), NOW.plusSeconds(second));
    }

    @Test
    void joinsEqualDecisionsOfAVmWhateverStatesAndOtherVmsAreBetween() {
        var history = new DecisionHistory();
        var node = new DecisionHistory.Subject.Node("n");
        history.add(node, denied("a", 0));
        history.add(node, denied("b", 1));
        history.add(node, reason(2));
        var joined = history.add(node, denied("a", 3));

        assertThat(joined.repeats()).isEqualTo("2 times in 3s");
        assertThat(history.of(node, Optional.empty()))
                .extracting(Explanation::vm)
                .containsExactly("default/a", "default/x", "default/b");
        assertThat(history.total()).isEqualTo(3);
        assertThat(history.of(node, Optional.of(NOW))).containsExactly(joined);
    }

    @Test
    void keepsTheLastReasonsOfOne() {
        var history = new DecisionHistory();
        for (int second = 0; second < 1_000; second++) {
            history.add(vm(1), reason(second));
        }
        var kept = history.of(vm(1), Optional.empty());
        assertThat(kept).hasSize(DecisionHistory.OF_ONE_MAX);
        assertThat(kept.getFirst().at()).isEqualTo(NOW.plusSeconds(999));
        assertThat(history.total()).isEqualTo(DecisionHistory.OF_ONE_MAX);
    }

    @Test
    void forgetsFirstTheVmToWhichNothingHappenedForLongest() {
        var history = new DecisionHistory(3);
        history.add(vm(1), reason(1));
        history.add(vm(2), reason(2));
        history.add(vm(1), reason(3));
        history.add(vm(3), reason(4));
        assertThat(history.contains(vm(2))).isFalse();
        assertThat(history.of(vm(1), Optional.empty())).hasSize(2);
        assertThat(history.total()).isEqualTo(3);
    }

    @Test
    void distinguishesAVmFromANodeOfTheSameName() {
        var history = new DecisionHistory();
        history.add(new DecisionHistory.Subject.Node("default/vm-1"), reason(1));
        assertThat(history.contains(vm(1))).isFalse();
        assertThat(history.vmsNamed("vm-1")).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void staysWithinItsBoundsWhateverHappens(long seed) {
        var random = new Random(seed);
        var history = new DecisionHistory(1_000);
        for (int second = 0; second < 20_000; second++) {
            history.add(vm((int) Math.abs(random.nextGaussian() * 20)), reason(second));
            int kept = 0;
            if (second % 500 == 0) {
                for (int number = 0; number < 200; number++) {
                    int ofOne = history.of(vm(number), Optional.empty()).size();
                    assertThat(ofOne).isLessThanOrEqualTo(DecisionHistory.OF_ONE_MAX);
                    kept += ofOne;
                }
                assertThat(history.total())
                        .as("seed %d second %d", seed, second)
                        .isEqualTo(kept);
                assertThat(kept).isLessThanOrEqualTo(1_000);
            }
        }
    }
}
