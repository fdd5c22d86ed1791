package io.sluice.replay.openb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.placement.core.plugins.PlacementPlugin;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * One order of arrivals of the trace openb, which is not part of the sources: {@code -Dopenb.dir=DIRECTORY} names where
 * it is. Without it nothing is played, and that is reported.
 */
class OpenbReplayTest {
    private static final Path DIRECTORY = Path.of(System.getProperty(OpenbTrace.DIRECTORY, "."));

    private static OpenbTrace trace;

    @BeforeAll
    static void read() {
        var found = OpenbTrace.read(DIRECTORY, "default");
        assumeTrue(found.isPresent(), "the trace openb is not in " + DIRECTORY.toAbsolutePath());
        trace = found.orElseThrow();
    }

    private static double allocated(List<PlacementPlugin> rules, long seed) {
        var allocated = new OpenbReplay(trace, rules).play(trace.arrivals(1.3, seed));
        return 100 * allocated[allocated.length - 1];
    }

    @Test
    void hasTheSizeThatItsAuthorsName() {
        assertThat(trace.nodes()).hasSize(1_213);
        assertThat(trace.milliOfAll()).isEqualTo(6_212_000);
        assertThat(trace.tasks()).hasSize(8_152);
    }

    /** Its authors have 95.4 % in the mean of ten orders. */
    @Test
    void allocatesWhatItsAuthorsPublish() {
        var rules = OpenbRules.of(trace);

        assertThat(allocated(rules.get("fragments"), 42)).isBetween(95.2, 96.0);
        assertThat(allocated(rules.get("FGD"), 42)).isBetween(94.9, 96.0);
    }

    @Test
    void putsATaskOnlyOnModelsThatItNames() {
        var some = trace.tasks().stream().filter(task -> task.devices() == 1).toList();
        var named = some.stream()
                .limit(300)
                .map(task -> new OpenbTrace.Task(task.amounts(), 1, task.milli(), List.of("T4")))
                .toList();
        var replay = new OpenbReplay(trace, OpenbRules.of(trace).get("best fit"));
        replay.play(named);

        assertThat(replay.placed()).isEqualTo(300);
        assertThat(replay.modelsInUse()).containsExactly("T4");
    }
}
