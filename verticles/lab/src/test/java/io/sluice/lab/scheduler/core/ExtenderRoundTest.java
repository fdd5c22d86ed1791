package io.sluice.lab.scheduler.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ExtenderRoundTest {
    @Test
    void choosesTheHighestScoreAndOfSeveralTheFirstByName() {
        assertThat(ExtenderRound.best(List.of("c", "b", "a"), Map.of("a", 3, "b", 7, "c", 7, "d", 9)))
                .contains("b");
        assertThat(ExtenderRound.best(List.of("b", "a"), Map.of())).contains("a");
        assertThat(ExtenderRound.best(List.of(), Map.of("a", 3))).isEmpty();
    }

    @Test
    void countsNodesOfTheSameReason() {
        assertThat(ExtenderRound.message(3, Map.of("a", "short of CPU", "b", "not ready", "c", "short of CPU")))
                .isEqualTo("0/3 nodes are available: 1 not ready, 2 short of CPU.");
    }
}
