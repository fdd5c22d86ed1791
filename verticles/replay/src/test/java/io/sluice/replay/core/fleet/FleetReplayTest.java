package io.sluice.replay.core.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
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

    @Test
    void imbalanceIsBetweenEqualLoadsAndOneThatHasAll() {
        assertThat(ImbalanceRule.imbalance(2, 1, 4)).isZero();
        assertThat(ImbalanceRule.imbalance(0.8, 0.64, 4)).isCloseTo(1, within(1e-9));
        // Of 1, 1, 1 and 3: a deviation of 0.866 around 1.5, and at most 1.732 times the mean.
        assertThat(ImbalanceRule.imbalance(6, 12, 4)).isCloseTo(0.866 / 1.5 / 1.732, within(1e-3));
    }

    @Test
    void peersSpreadLoadOverNodes() {
        var loads = IntStream.range(0, 40)
                .mapToObj(vm -> constant(vm < 24 ? 0.02 : 0.9))
                .toList();

        for (var policy : List.of(FleetPolicy.PROXMOX, FleetPolicy.OPENSHIFT)) {
            var score = score(policy, loads, 24);
            assertThat(score.migrationsByPeriod().getFirst()).as(policy.key()).isPositive();
            assertThat(squares(score.use().getLast()))
                    .as(policy.key())
                    .isLessThan(squares(score.use().getFirst()));
        }
    }

    @Test
    void anImbalanceThatNoMoveLowersIsLeft() {
        var loads = IntStream.range(0, 40)
                .mapToObj(vm -> constant(vm < 24 ? 0.02 : 0.9))
                .toList();
        var byPeriod = score(FleetPolicy.PROXMOX, loads, 24).migrationsByPeriod();

        assertThat(byPeriod.subList(1, byPeriod.size())).allMatch(moves -> moves == 0);
    }

    /** A node with VMs, of which each requests all of its MIPS. */
    private static FleetNode node(int index, FleetVm... vms) {
        var node = new FleetNode(index, NodeType.ML110_G5);
        node.vms().addAll(List.of(vms));
        node.update(0);
        return node;
    }

    private static FleetVm vm(int index, double mips, int ramMegabytes) {
        return new FleetVm(index, mips, ramMegabytes, constant(1));
    }

    private static List<Consolidation.Move> deviationMoves(FleetNode... nodes) {
        return new DeviationRule(new DeviationRule.Values(0.1, 0, 2, 5, 1)).moves(List.of(nodes));
    }

    @Test
    void whatWasScheduledCountsAsAllocated() {
        var full = node(0, vm(0, 1_000, 100), vm(1, 1_000, 100), vm(2, 1_000, 100), vm(3, 1_000, 100));
        var first = node(1);
        var second = node(2);

        assertThat(deviationMoves(full, first, second))
                .extracting(Consolidation.Move::target)
                .containsExactly(first, second);
    }

    @Test
    void aVmThatFitsNowhereDoesNotKeepTheOthers() {
        var large = vm(0, 1_000, 4_000);
        var small = vm(1, 1_000, 100);
        var full = node(0, large, small, vm(2, 1_000, 100), vm(3, 1_000, 100));
        var other = node(1, vm(4, 100, 500));

        assertThat(deviationMoves(full, other))
                .extracting(Consolidation.Move::vm)
                .contains(small)
                .doesNotContain(large);
    }

    private static int squares(String use) {
        return use.chars()
                .map(node -> Math.max(0, node - '0'))
                .map(tenths -> tenths * tenths)
                .sum();
    }
}
