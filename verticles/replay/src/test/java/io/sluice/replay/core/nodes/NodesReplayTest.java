package io.sluice.replay.core.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.agent.core.policy.PolicyConfig;
import io.sluice.agent.core.policy.PolicyKind;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.replay.Replay;
import io.sluice.replay.core.score.PolicyScore;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.replay.core.vm.VmModel;
import io.sluice.replay.core.vm.VmReplay;
import io.sluice.units.ResourceKind;
import io.sluice.units.Resources;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Goal: VMs on nodes get what their ledger has. Method: VMs that need more at some times, on small and large nodes. */
class NodesReplayTest {
    private static final int VMS = 8;
    private static final int SAMPLES = 96;
    private static final int FIRST = 24;
    /** By then one slow migration has ended, and two are under way. */
    private static final int CUT = 44;

    private static final PolicyConfig DEMAND = new PolicyConfig(
            "follows",
            PolicyKind.DEMAND,
            0.995,
            0.2,
            0.95,
            0.95,
            Duration.ofSeconds(30),
            Duration.ofHours(1),
            0,
            7,
            Duration.ofMinutes(30),
            0);

    /** Each between 0.2 and 3.8 CPUs of 4, at random times: 16 CPUs in the mean. */
    private static final List<TraceSeries> SERIES = IntStream.range(0, VMS)
            .mapToObj(vm -> {
                var random = new Random(vm);
                return new TraceSeries(
                        "vm" + vm,
                        ResourceKind.CPU,
                        4_000,
                        300,
                        0,
                        random.doubles(SAMPLES, 200, 3_700).toArray());
            })
            .toList();

    private static NodesScore on(int nodes, int cpus) {
        return on(nodes, cpus, SERIES);
    }

    private static NodesScore on(int nodes, int cpus, List<TraceSeries> series) {
        return on(nodes, cpus, series, VmModel.DEFAULTS);
    }

    private static NodesScore on(int nodes, int cpus, List<TraceSeries> series, VmModel model) {
        var spec = NodeSizes.equal(nodes, new Resources(cpus * 1_000L, 1L << 40));
        return new NodesReplay(model, CoreConfig.DEFAULTS, DEMAND, spec, Replay.NODE_RULES)
                .score(series, FIRST, () -> false)
                .orElseThrow();
    }

    private static PolicyScore withRoomForAll() {
        var replay = new VmReplay(VmModel.DEFAULTS, CoreConfig.DEFAULTS, false);
        return PolicyScore.of(
                "follows",
                ResourceKind.CPU,
                SERIES.stream()
                        .map(series -> replay.score(series, DEMAND, FIRST))
                        .toList());
    }

    @Test
    void withRoomForAllNothingIsDenied() {
        var score = on(2, 64);

        assertThat(score.denied()).isZero();
        assertThat(score.unplaced()).isZero();
        assertThat(score.sums().getFirst().granted()).isCloseTo(withRoomForAll().granted(), within(1e-6));
        assertThat(score.sums().getFirst().unservedPercent())
                .isCloseTo(withRoomForAll().unservedPercent(), within(1e-6));
    }

    @Test
    void aLedgerWithoutRoomDeniesUpscalesAndDemandIsNotServed() {
        var score = on(2, 9);

        assertThat(score.sums().getFirst().vms()).isGreaterThan(4);
        assertThat(score.denied()).isPositive();
        assertThat(score.sums().getFirst().unservedPercent())
                .isGreaterThan(withRoomForAll().unservedPercent());
        double time = (SAMPLES - FIRST) * 300.0;
        assertThat(score.sums().getFirst().granted() / time)
                .as("never more than the nodes have")
                .isLessThanOrEqualTo(18_000);
    }

    @Test
    void aVmThatFitsNowhereIsCounted() {
        var score = on(1, 4);

        assertThat(score.unplaced()).isPositive();
        assertThat(score.sums().getFirst().vms() + score.unplaced()).isEqualTo(VMS);
    }

    /** The same VMs, each with 7 GiB in use. */
    private static List<TraceSeries> withMemory() {
        double[] used =
                DoubleStream.generate(() -> 7 * 1_024 * 0.9).limit(SAMPLES).toArray();
        return SERIES.stream()
                .flatMap(
                        cpu -> Stream.of(cpu, new TraceSeries(cpu.vm(), ResourceKind.MEMORY, 16 * 1_024, 300, 0, used)))
                .toList();
    }

    @Test
    void aVmGetsTheLargerOfBothGoalsInBoth() {
        var alone = on(2, 64).sums().getFirst();
        var both = on(2, 64, withMemory());

        assertThat(both.sums()).extracting(PolicyScore::kind).containsExactly(ResourceKind.CPU, ResourceKind.MEMORY);
        // 7 units of 250 m for the memory, where the demand for CPU alone is less at times.
        assertThat(both.sums().getFirst().granted()).isGreaterThan(alone.granted());
        assertThat(both.sums().getLast().granted() / (VMS * (SAMPLES - FIRST) * 300.0))
                .isGreaterThan(7 * 1_024);
        assertThat(both.sums().getLast().outOfMemory()).isZero();
    }

    /** VMs with 1 800 MiB in use that need 0.4 CPUs, and from an hour of their own on 3.5 CPUs. */
    private static List<TraceSeries> rising() {
        double[] used = DoubleStream.generate(() -> 1_800).limit(SAMPLES).toArray();
        return IntStream.range(0, VMS)
                .boxed()
                .flatMap(vm -> {
                    var cpu = new double[SAMPLES];
                    Arrays.setAll(cpu, sample -> vm % 2 == 0 && sample > FIRST + 6 * (vm + 1) ? 3_500 : 400);
                    return Stream.of(
                            new TraceSeries("vm" + vm, ResourceKind.CPU, 4_000, 300, 0, cpu),
                            new TraceSeries("vm" + vm, ResourceKind.MEMORY, 16 * 1_024, 300, 0, used));
                })
                .toList();
    }

    @Test
    void nodesUnderPressureAreLeftInTheTimeThatCopyingTakes() {
        var score = on(3, 8, rising());

        assertThat(score.migrations()).isPositive();
        // 1 800 MiB at 128 MiB/s.
        assertThat(score.migrationSeconds()).isEqualTo(15);
        assertThat(score.use()).hasSize(SAMPLES - FIRST).allMatch(nodes -> nodes.length() == 3);
        assertThat(score.migrationsBySample()).hasSize(SAMPLES - FIRST);
        assertThat(on(3, 8, rising())).usingRecursiveComparison().isEqualTo(score);
    }

    @Test
    void aMigrationThatHasNotEndedCountsForNoTime() {
        var slow = new VmModel(250, 1024, 0, 5, 1, 1, 1.0, 30, 0.95, 0.05, 1, 300, 0.1, 1);
        var cut = rising().stream()
                .map(all -> new TraceSeries(
                        all.vm(), all.kind(), all.capacity(), 300, 0, Arrays.copyOf(all.samples(), CUT)))
                .toList();

        var score = on(3, 8, cut, slow);
        assertThat(score.migrations()).isEqualTo(3);
        // 1 800 MiB at 1 MiB/s.
        assertThat(score.migrationSeconds()).isEqualTo(1_800);
    }

    /** A VM that runs from one sample to before another one. */
    private static TraceSeries between(String vm, double milliCpu, int from, int to) {
        var samples = new double[SAMPLES];
        Arrays.setAll(samples, sample -> sample < from || sample >= to ? Double.NaN : milliCpu);
        return new TraceSeries(vm, ResourceKind.CPU, 8_000, 300, 0, samples);
    }

    @Test
    void aVmHasItsRoomFromItsFirstSampleToItsLast() {
        int middle = (FIRST + SAMPLES) / 2;
        var score = on(
                1,
                10,
                List.of(
                        between("gone", 7_000, 0, FIRST / 4),
                        between("one", 7_000, 0, middle),
                        between("other", 7_000, middle, SAMPLES)));

        assertThat(score.unplaced()).isZero();
        assertThat(score.denied()).isZero();
        assertThat(score.fullestNode()).isEqualTo(1);
        var sum = score.sums().getFirst();
        assertThat(sum.vms()).isEqualTo(2);
        assertThat(sum.samples()).isEqualTo(SAMPLES - FIRST);
        assertThat(sum.unservedPercent()).isZero();
    }

    @Test
    void aVmThatArrivesWhereThereIsNoRoomLeftIsCounted() {
        var score = on(1, 10, List.of(between("one", 7_000, 0, SAMPLES), between("other", 7_000, FIRST, SAMPLES)));

        assertThat(score.unplaced()).isEqualTo(1);
    }

    @Test
    void aVmThatIsGoneLeavesNothingBehindEvenAmidItsMigration() {
        var slow = new VmModel(250, 1024, 0, 5, 1, 1, 1.0, 30, 0.95, 0.05, 1, 300, 0.1, 1);
        var ending = rising().stream().map(all -> {
            var samples = all.samples().clone();
            Arrays.fill(samples, CUT, SAMPLES, Double.NaN);
            return new TraceSeries(all.vm(), all.kind(), all.capacity(), 300, 0, samples);
        });
        var stays = between("stays", 100, 0, SAMPLES);

        var score = on(3, 8, Stream.concat(ending, Stream.of(stays)).toList(), slow);

        // Copying takes six samples, so one is under way at the end.
        var begun = score.migrationsBySample();
        assertThat(begun.subList(CUT - FIRST - 5, CUT - FIRST)).anyMatch(count -> count > 0);
        assertThat(begun.subList(CUT - FIRST, SAMPLES - FIRST)).containsOnly(0);
        assertThat(score.use().get(CUT - FIRST - 1)).doesNotContain("-");
        assertThat(score.use().subList(CUT - FIRST, SAMPLES - FIRST))
                .allSatisfy(nodes -> assertThat(nodes.replace("-", "")).hasSize(1));
    }

    @Test
    void withRoomForAllNoneMigrates() {
        assertThat(on(2, 64, withMemory()).migrations()).isZero();
    }

    @Test
    void nodesAreReadFromText() {
        assertThat(NodeSizes.parse("20x32/128GiB")).contains(NodeSizes.equal(20, new Resources(32_000, 128L << 30)));
        assertThat(NodeSizes.parse("recorded")).contains(NodeSizes.RECORDED);
        assertThat(NodeSizes.parse("1x2/512Mi")).contains(NodeSizes.equal(1, new Resources(2_000, 512L << 20)));
        assertThat(List.of("800", "0x1/1GiB", "2x0/1GiB", "2x4", "2x4/1TB", "99999x1/1GiB"))
                .allSatisfy(text -> assertThat(NodeSizes.parse(text)).isEmpty());
    }
}
