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
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Goal: VMs on nodes get what their ledger has. Method: VMs that need more at some times, on small and large nodes. */
class NodesReplayTest {
    private static final int VMS = 8;
    private static final int SAMPLES = 96;
    private static final int FIRST = 24;
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
        var spec = new EqualNodes(nodes, new Resources(cpus * 1_000L, 1L << 40));
        return new NodesReplay(VmModel.DEFAULTS, CoreConfig.DEFAULTS, DEMAND, spec, Replay.NODE_RULES)
                .score(SERIES, FIRST, () -> false)
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
        assertThat(score.sum().granted()).isCloseTo(withRoomForAll().granted(), within(1e-6));
        assertThat(score.sum().unservedPercent()).isCloseTo(withRoomForAll().unservedPercent(), within(1e-6));
    }

    @Test
    void aLedgerWithoutRoomDeniesUpscalesAndDemandIsNotServed() {
        var score = on(2, 9);

        assertThat(score.sum().vms()).isGreaterThan(4);
        assertThat(score.denied()).isPositive();
        assertThat(score.sum().unservedPercent()).isGreaterThan(withRoomForAll().unservedPercent());
        double time = (SAMPLES - FIRST) * 300.0;
        assertThat(score.sum().granted() / time)
                .as("never more than the nodes have")
                .isLessThanOrEqualTo(18_000);
    }

    @Test
    void aVmThatFitsNowhereIsCounted() {
        var score = on(1, 4);

        assertThat(score.unplaced()).isPositive();
        assertThat(score.sum().vms() + score.unplaced()).isEqualTo(VMS);
    }

    @Test
    void nodesAreReadFromText() {
        assertThat(EqualNodes.parse("20x32/128GiB")).contains(new EqualNodes(20, new Resources(32_000, 128L << 30)));
        assertThat(EqualNodes.parse("1x2/512Mi")).contains(new EqualNodes(1, new Resources(2_000, 512L << 20)));
        assertThat(List.of("800", "0x1/1GiB", "2x0/1GiB", "2x4", "2x4/1TB", "99999x1/1GiB"))
                .allSatisfy(text -> assertThat(EqualNodes.parse(text)).isEmpty());
    }
}
