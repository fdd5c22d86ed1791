package io.sluice.ledger.core;

import static io.sluice.ledger.core.Scene.cpu;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.messages.cluster.Overcommit;
import io.sluice.units.Resources;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScoringTest {
    private static final Scoring SCORING = new Scoring(0.5, 0.25, 0.8);
    private static final Resources TOTAL = new Resources(1000, 1000);

    @ParameterizedTest
    @CsvSource({"0,50", "400,75", "800,100", "900,62.5", "1000,25", "1001,0"})
    void risesToThePeakAndFallsBehindIt(long reserved, double score) {
        assertThat(SCORING.score(new Resources(reserved, 800), TOTAL, TOTAL)).isEqualTo(score, within(1e-9));
        assertThat(SCORING.score(new Resources(800, reserved), TOTAL, TOTAL)).isEqualTo(score, within(1e-9));
    }

    @Test
    void aSmallerNodeScoresLessByItsSize() {
        assertThat(SCORING.score(new Resources(800, 800), TOTAL, new Resources(1000, 4000)))
                .isEqualTo(25, within(1e-9));
        assertThat(SCORING.score(Resources.NONE, Resources.NONE, TOTAL)).isZero();
    }

    @Test
    void tiesGoToFewerMembersAndThenToTheName() {
        var best = new Scoring.Scored("z", 9, 70);
        var few = new Scoring.Scored("y", 1, 50);
        var byName = new Scoring.Scored("a", 2, 50);
        var last = new Scoring.Scored("b", 2, 50);

        assertThat(Stream.of(last, byName, best, few).sorted(Scoring.ORDER)).containsExactly(best, few, byName, last);
    }

    @Test
    void aRandomScoreLiesBetweenOneAndItself() {
        var random = new Random(7);
        for (int i = 0; i < 1000; i++) {
            assertThat(Scoring.randomized(60, random)).isBetween(1.0, 60.0);
        }
        assertThat(Scoring.randomized(0.5, random)).isEqualTo(0.5);
    }

    @Test
    void aPeakAtTheEdgeIsRefused() {
        assertThatThrownBy(() -> new Scoring(0.5, 0, 1)).hasMessageContaining("1.0");
        assertThatThrownBy(() -> new Scoring(1.5, 0, 0.8)).hasMessageContaining("1.5");
    }

    @Test
    void aShortageIsNamedInEachKind() {
        var scene = Scene.loaded();
        scene.pod("P", cpu(9000));
        scene.pod("Q", cpu(500));

        assertThat(Fitting.shortage(scene.state, cpu(500), Overcommit.OFF)).isEqualTo(Resources.NONE);
        assertThat(Fitting.shortage(scene.state, new Resources(700, Scene.MEMORY_TOTAL), Overcommit.OFF))
                .isEqualTo(new Resources(200, 2 * Scene.MEMORY));
        assertThat(Fitting.shortage(scene.state, cpu(2000), new Overcommit(4000, 1000)))
                .isEqualTo(Resources.NONE);
        assertThat(Fitting.shortage(scene.state, cpu(9500), Overcommit.OFF, Set.of("Q", "unknown")))
                .isEqualTo(Resources.NONE);
        assertThat(Fitting.shortage(scene.state, cpu(9501), Overcommit.OFF, Set.of("Q")))
                .isEqualTo(new Resources(1, 0));
    }
}
