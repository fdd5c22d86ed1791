package io.sluice.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Goal: every fault of the suite exists, with enough rounds. */
class FaultsTest {
    private static final List<String> MANY = List.of("stale-", "cut-", "freeze-", "lose-copies", "each-alone");

    @Test
    void cutsFreezesAndSequencesArePlayedTwentyTimes() {
        assertThat(Faults.all())
                .filteredOn(scenario -> MANY.stream().anyMatch(scenario.name()::startsWith))
                .hasSizeGreaterThan(20)
                .allMatch(scenario -> scenario.rounds() == 20);
        assertThat(Faults.all()).allMatch(scenario -> scenario.rounds() >= 5);
    }

    @Test
    void noTwoHaveOneName() {
        assertThat(Faults.all()).extracting(Scenario::name).doesNotHaveDuplicates();
    }

    @Test
    void theShortListIsPlayedOnce() {
        var options = Options.of("--short");

        assertThat(options.rounds()).isEqualTo(Optional.of(1));
        assertThat(Faults.all()).extracting(Scenario::name).containsAll(options.faults());
    }

    @Test
    void eachOtherFaultHasItsDay() {
        int others = Faults.all().size() - Options.SHORT.size();

        assertThat(IntStream.range(0, others)
                        .mapToObj(LocalDate.EPOCH::plusDays)
                        .map(Options::ofDay))
                .doesNotHaveDuplicates()
                .doesNotContainAnyElementsOf(Options.SHORT);
    }

    @Test
    void aFaultOfOneOfThreeCostsNoStateAndHasAGoal() {
        assertThat(Faults.all())
                .filteredOn(scenario -> scenario.name().matches("(kill|freeze|cut)-(owner|backup).*"))
                .hasSize(8)
                .allMatch(scenario -> scenario.keepsState() && scenario.goal() != Goal.NONE);
    }
}
