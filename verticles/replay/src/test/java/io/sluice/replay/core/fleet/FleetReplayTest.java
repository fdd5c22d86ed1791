package io.sluice.replay.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FleetReplayTest {
    private static final int PERIODS = 288;

    private static double[] constant(double share) {
        var load = new double[PERIODS];
        Arrays.fill(load, share);
        return load;
    }

    private static FleetScore score(FleetPolicy policy, List<double[]> loads, int nodes) {
        return FleetReplay.score(policy, loads, nodes, () -> false).orElseThrow();
    }

    /** Loads that jump at random, around a mean of their own. */
    private static List<double[]> jumping(int vms) {
        var random = new Random(3);
        var loads = new ArrayList<double[]>();
        for (int vm = 0; vm < vms; vm++) {
            double mean = random.nextDouble(0.05, 0.5);
            loads.add(random.doubles(PERIODS, 0.01, 2 * mean).toArray());
        }
        return loads;
    }

    @Test
    void powerIsInterpolatedBetweenTenths() {
        var power = NodeType.ML110_G5.power();

        assertThat(power.at(0)).isEqualTo(93.7);
        assertThat(power.at(0.25)).isCloseTo(103, within(1e-9));
        assertThat(power.at(1)).isEqualTo(135);
        assertThat(power.wattSeconds(0, 0.5, 300)).isZero();
        assertThat(power.wattSeconds(0.2, 0.3, 10)).isCloseTo(1_030, within(1e-9));
    }

    @Test
    void oneVmThatNeverChangesCostsThePowerOfItsNode() {
        // Of 2 500 MIPS it uses 1 064: a fifth of a G5. It is too fast for a core of the first node, a G4.
        var score = score(FleetPolicy.DVFS, List.of(constant(0.4256)), 2);

        // From the first measurement at 300 s to the last at 86 100 s.
        assertThat(score.kilowattHours()).isCloseTo(101 * 85_800 / 3_600_000.0, within(1e-6));
        assertThat(score.migrations()).isZero();
        assertThat(score.shutdowns()).isEqualTo(1);
        assertThat(score.slav()).isZero();
    }

    @Test
    void aVmWithoutLoadEnds() {
        var load = constant(0.4);
        Arrays.fill(load, 100, PERIODS, 0);
        var score = score(FleetPolicy.DVFS, List.of(load), 2);

        assertThat(score.shutdowns()).isEqualTo(2);
    }

    @Test
    void consolidationLeavesTheLeastUsedNodes() {
        var loads = List.of(constant(0.2), constant(0.2), constant(0.2), constant(0.2));

        var spread = score(FleetPolicy.DVFS, loads, 8);
        var packed = score(FleetPolicy.SLUICE, loads, 8);

        assertThat(packed.migrations()).isPositive();
        assertThat(packed.kilowattHours()).isLessThan(spread.kilowattHours() + 1e-9);
        assertThat(packed.pdm()).isPositive();
    }

    @Test
    void packingMovesLessThanThePapersPolicies() {
        var loads = jumping(80);
        var regression = score(FleetPolicy.LR_MMT, loads, 60);
        var packing = score(FleetPolicy.SLUICE, loads, 60);

        assertThat(regression.migrations()).isGreaterThan(100);
        assertThat(packing.migrations()).isLessThan(regression.migrations() / 2);
        assertThat(packing.slav()).isLessThan(regression.slav() / 2);
        assertThat(packing.kilowattHours()).isLessThan(regression.kilowattHours() * 1.02);
    }

    @Test
    void aStoppedDayHasNoScore() {
        assertThat(FleetReplay.score(FleetPolicy.DVFS, jumping(4), 8, () -> true))
                .isEmpty();
    }

    @Test
    void theRulesFollowTheirFormulas() {
        double[] falling = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0};
        double[] some = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 100};

        // The latest first: a line that rises by 0.1 in each step back, so it falls to 0 in the next.
        assertThat(OverloadRule.LocalRules.predicted(falling)).isCloseTo(0, within(1e-9));
        assertThat(OverloadRule.LocalRules.deviation(some)).isEqualTo(3);
        assertThat(OverloadRule.LocalRules.quartileRange(some)).isEqualTo(7);
    }
}
