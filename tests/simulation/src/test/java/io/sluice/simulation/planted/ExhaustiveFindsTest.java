package io.sluice.simulation.planted;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The proof that exploring every short history can find bugs: each of these is found in that many steps. */
class ExhaustiveFindsTest {
    @ParameterizedTest
    @CsvSource({
        "request taken for what is in use, after-a-loss, 0, 6, nothing is promised twice",
        "decrease believed at once, reference, 0, 7, reservations cover exposures",
        "last permit forgotten, reference, 1, 8, reservations cover exposures",
        "buffer forgotten, losing, 1, 5, reservations cover exposures",
        "switched off booked at its use at once, switched-off, 0, 7, reservations cover exposures",
        "a bind without a reply to its hold, placing, 1, 2, reservations cover exposures",
        "a bind in doubt believed refused, placing, 1, 5, reservations cover exposures",
        "the hold of a bind ends with time, placing, 0, 3, reservations cover exposures",
        "a release frees the room of another attempt, placing, 1, 5, reservations cover exposures",
        "a Binding of a pod that has changed, placing, 0, 6, reservations cover exposures",
        "a pod that is bound here believed bound elsewhere, placing, 0, 6, reservations cover exposures"
    })
    void findsWhatIsPlanted(String name, String setup, int faults, int steps, String promise)
            throws ReflectiveOperationException {
        var bug = Stream.concat(PlantedBugs.ALL.stream(), PlantedBugs.IN_SHORT_HISTORIES.stream())
                .filter(planted -> planted.name().equals(name))
                .findFirst()
                .orElseThrow();

        var broken = broken(bug, setup, faults, steps);

        assertThat(broken).containsKey(promise);
        assertThat(broken.get(promise).lines())
                .as("one line for the beginning, one for each step, one for what is broken")
                .hasSize(1 + steps + 1);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, String> broken(PlantedBug bug, String setup, int faults, int depth)
            throws ReflectiveOperationException {
        try {
            return (Map<String, String>) Mutant.of(bug)
                    .loadClass("io.sluice.simulation.exhaustive.Exploration")
                    .getMethod("broken", String.class, int.class, int.class)
                    .invoke(null, setup, faults, depth);
        } catch (InvocationTargetException thrown) {
            throw new AssertionError("the exploration failed", thrown.getCause());
        }
    }
}
