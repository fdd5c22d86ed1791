package io.sluice.cluster.roles;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.launcher.core.Role;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SplitTest {
    private static final int SPLITS = 1_000;

    @Test
    void anySplitHasEveryRoleAndAnOddNumberOfLedgers() {
        for (long seed = 0; seed < SPLITS; seed++) {
            var split = Split.any(new Random(seed));

            assertThat(split.processes())
                    .as("seed %d", seed)
                    .hasSizeBetween(2, 4)
                    .noneMatch(Set::isEmpty);
            assertThat(split.processes().stream().flatMap(Collection::stream))
                    .as("seed %d", seed)
                    .containsAll(Split.everyRole())
                    .containsOnlyOnce(Role.LAB);
            assertThat(split.ledgers()).as("seed %d", seed).isIn(1, 3);
        }
    }

    @Test
    void theSameSeedGivesTheSameSplit() {
        assertThat(Split.any(new Random(7))).isEqualTo(Split.any(new Random(7)));
    }

    @Test
    void apartIsOneRoleForEachProcess() {
        assertThat(Split.apart().processes())
                .containsExactlyElementsOf(
                        Split.everyRole().stream().map(Set::of).map(Set::copyOf).toList())
                .contains(Set.of(Role.LAB));
        assertThat(List.of(Split.apart().ledgers())).containsExactly(1);
    }
}
