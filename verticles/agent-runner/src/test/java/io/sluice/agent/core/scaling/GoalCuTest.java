package io.sluice.agent.core.scaling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoalCuTest {
    private static final ScalingConfig USUAL = ScalingConfig.DEFAULTS;

    @ParameterizedTest(name = "load {0}/{1}, {2} GiB used: {3} CU, {4}")
    @CsvSource({
        "0, 0, 0, 0, idle",
        "0.3375, 0.3375, 0, 2, one and a half rounds away from zero",
        "0.337, 0.337, 0, 1, just below",
        "9, 0, 0, 40, the faster average counts at once without zones",
        "0, 0, 0.76, 2, memory is rounded up",
        "0, 0, 0.75, 1, a whole unit stays one",
        "0, 0, -5, 0, less than nothing is nothing",
        "1e9, 1e9, 0, 65535, saturates",
        "NaN, NaN, 2.25, 3, what is not a number hides nothing",
        "Infinity, 0, 0, 65535, nor does infinity wrap"
    })
    void isTheLargestPartRoundedUp(double load1, double load5, double usedGib, int goal, String why) {
        assertThat(goal(new SystemMetrics(load1, load5, usedGib * (1L << 30), 0), USUAL)
                        .goal())
                .isEqualTo(goal);
    }

    @ParameterizedTest(name = "load {0}/{1}: {2}")
    @CsvSource({"1.25, 1.0, 1.0", "1.3125, 1.0, 1.15625", "1.375, 1.0, 1.375", "0.5, 1.0, 0.5"})
    void blendsTheAveragesBetweenTheZones(double load1, double load5, double blended) {
        var zones = new ScalingConfig(0.9, 0.75, 0.9, false, false, 0.75, 5, 5, 0.25, 0.125);
        double cpu = goal(new SystemMetrics(load1, load5, 0, 0), zones).cpu().orElseThrow();
        assertThat(cpu).isCloseTo(blended / 0.9 / 0.25, offset(1e-4));
    }

    @Test
    void isZeroAndIncompleteWithoutMetrics() {
        var goal = GoalCu.of(Optional.empty(), Optional.empty(), USUAL, Scenario.UNIT);
        assertThat(goal.goal()).isZero();
        assertThat(goal.hasAllMetrics()).isFalse();
        assertThat(goal.cpu()).isEmpty();
    }

    @Test
    void aTargetOfZeroGoesAsFarAsCanBeAndNowhereWithoutLoad() {
        var zero = new ScalingConfig(0, 0.75, 0.9, false, false, 0.75, 5, 5, 0, 0);
        assertThat(goal(new SystemMetrics(1, 1, 0, 0), zero).goal()).isEqualTo(GoalCu.MOST_CU);
        assertThat(goal(new SystemMetrics(0, 0, 0, 0), zero).goal()).isZero();
    }

    @Test
    void needsTheFileCachesMetricsOnlyWhereTheyAreEnabled() {
        var enabled = new ScalingConfig(0.9, 0.75, 0.9, true, false, 0.75, 5, 5, 0, 0);
        assertThat(goal(new SystemMetrics(1, 1, 0, 0), enabled).hasAllMetrics()).isFalse();
        assertThat(goal(new SystemMetrics(1, 1, 0, 0), USUAL).hasAllMetrics()).isTrue();
    }

    @Test
    void readsNoWorkingSetFromTooFewWindows() {
        var goal = withWindows(Collections.nCopies(8, 1e6), USUAL);
        assertThat(goal.windowsTooShort()).isTrue();
        assertThat(goal.lfc()).contains(0.0);
        assertThat(goal.workingSetBytes()).isEmpty();
    }

    @Test
    void makesRoomForTheWorkingSet() {
        double pagesOfOneGib = (1L << 30) / 8192.0;
        var goal = withWindows(Collections.nCopies(9, 3 * pagesOfOneGib), USUAL);
        assertThat(goal.lfc()).contains(4.0);
        assertThat(goal.workingSetBytes()).contains(3L << 30);
        assertThat(goal.goal()).isEqualTo(4);
    }

    /** If the first usable window is the very first, there is none before it to project from. */
    @Test
    void takesTooFewWindowsToProjectFromAsTheyAre() {
        var early = new ScalingConfig(0.9, 0.75, 0.9, true, true, 0.75, 1, 2, 0, 0);
        assertThat(withWindows(List.of(100.0, 50.0), early).workingSetBytes()).contains(50L * 8192);
        assertThat(withWindows(List.of(10.0, 20.0, 15.0), early).workingSetBytes())
                .contains(10L * 8192);
    }

    private static GoalCu goal(SystemMetrics metrics, ScalingConfig scaling) {
        return GoalCu.of(Optional.of(metrics), Optional.empty(), scaling, Scenario.UNIT);
    }

    private static GoalCu withWindows(List<Double> windows, ScalingConfig scaling) {
        return GoalCu.of(
                Optional.of(new SystemMetrics(0, 0, 0, 0)),
                Optional.of(new LfcMetrics(windows)),
                scaling,
                Scenario.UNIT);
    }

    @Test
    void findsTheKneeOfAWorkingSet() {
        double[] pages = IntStream.range(0, 40)
                .mapToDouble(i -> i < 10 ? 10 * i : i < 30 ? 100 : 100 + 50.0 * (i - 30))
                .toArray();
        assertThat(WorkingSet.estimate(pages, 12, 5)).isEqualTo(100);
        assertThat(WorkingSet.end(pages, 12, 100)).isEqualTo(31);
        assertThat(WorkingSet.project(pages, 31, 0.5)).isEqualTo(105);
    }
}
