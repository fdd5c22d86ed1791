package io.sluice.simulation.planted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.simulation.planted.Search.Outcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The proof that the histories can find bugs. Each of these bugs is planted in the product's own sources, one at a
 * time, and an invariant finds it within a bounded number of histories. The search for a rare one begins at a seed near
 * one that finds it. With no bug planted, the same machinery finds nothing.
 *
 * <p>{@code -Dsluice.simulation.planted.histories=N} plays up to N histories for each bug.
 */
class PlantedBugsTest {
    private static final int HISTORIES = Integer.getInteger("sluice.simulation.planted.histories", 300);

    /** Enough to show that planting alone breaks nothing; SystemSimulationTest plays a thousand without a bug. */
    private static final int WITHOUT_A_BUG = 40;

    private static final int AT_ONCE = 2;

    @TestFactory
    Stream<DynamicTest> findsWhatIsPlantedAndNothingElse() {
        var searches = searches();
        System.out.println("| bug | planted in | found by | histories |");
        System.out.println("|---|---|---|---|");
        return searches.entrySet().stream()
                .map(search -> DynamicTest.dynamicTest(
                        search.getKey().name(), () -> check(search.getKey(), outcome(search.getValue()))));
    }

    private static void check(PlantedBug bug, Outcome outcome) {
        System.out.println(outcome.row());
        if (bug == PlantedBugs.NOTHING) {
            assertThat(outcome.broken()).isEmpty();
            assertThat(outcome.crash()).isEmpty();
        } else {
            assertThat(outcome.broken())
                    .as("what is broken by \"%s\" within %d histories; thrown: %s", bug, HISTORIES, outcome.crash())
                    .isPresent();
        }
    }

    @Test
    void refusesToPlantWhereTheWordsAreGone() {
        var gone = PlantedBug.of("no such words", PlantedBugs.NOTHING.file(), "if (asked.flying) {", "if (true) {");
        assertThatThrownBy(() -> Mutant.of(gone))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("occur 0 times");
    }

    /** Starts all searches. */
    private static Map<PlantedBug, CompletableFuture<Outcome>> searches() {
        var searches = new LinkedHashMap<PlantedBug, CompletableFuture<Outcome>>();
        try (var threads = Executors.newFixedThreadPool(AT_ONCE)) {
            Stream.of(List.of(PlantedBugs.NOTHING), PlantedBugs.ALL, ScaledPodBugs.ALL)
                    .flatMap(List::stream)
                    .forEach(bug -> searches.put(
                            bug, CompletableFuture.supplyAsync(() -> new Search(bug).within(histories(bug)), threads)));
        }
        return searches;
    }

    private static int histories(PlantedBug bug) {
        return bug == PlantedBugs.NOTHING ? WITHOUT_A_BUG : HISTORIES;
    }

    private static Outcome outcome(CompletableFuture<Outcome> search) {
        try {
            return search.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof AssertionError cannotBePlanted) {
                throw cannotBePlanted;
            }
            throw failed;
        }
    }
}
