package io.sluice.replay.core.vm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.agent.core.policy.PolicyConfig;
import io.sluice.agent.core.policy.PolicyKind;
import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.replay.core.score.VmScore;
import io.sluice.replay.core.trace.TraceSeries;
import io.sluice.units.ResourceKind;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Goal: a replay counts what a VM was given and lacked. Method: series of a few samples with sums by hand. */
class VmReplayTest {
    private static final int PERIOD = 300;
    private static final int CPUS = 4_000;

    private static PolicyConfig policy(PolicyKind kind) {
        var base = PolicyConfig.DEFAULTS;
        return new PolicyConfig(
                kind.name(),
                kind,
                base.quantile(),
                base.headroom(),
                1,
                0.9,
                Duration.ofSeconds(60),
                base.recent(),
                0,
                base.days(),
                base.dailyWindow(),
                0);
    }

    private static TraceSeries cpu(double... milliCpu) {
        return new TraceSeries("vm", ResourceKind.CPU, CPUS, PERIOD, 0, milliCpu);
    }

    private static TraceSeries memory(double... mebibytes) {
        return new TraceSeries("vm", ResourceKind.MEMORY, 16_384, PERIOD, 0, mebibytes);
    }

    private static VmScore score(TraceSeries series, PolicyKind kind, int first) {
        return score(series, kind, first, VmModel.DEFAULTS, false);
    }

    private static VmScore score(TraceSeries series, PolicyKind kind, int first, VmModel model, boolean exact) {
        return new VmReplay(model, CoreConfig.DEFAULTS, exact).score(series, policy(kind), first);
    }

    private static VmModel withPeaks(double peakToMean) {
        var base = VmModel.DEFAULTS;
        return new VmModel(
                base.unitMilliCpu(),
                base.unitMebibytes(),
                0,
                base.scrapeSeconds(),
                base.growSeconds(),
                base.shrinkSeconds(),
                peakToMean,
                base.incidentSeconds(),
                base.censoredShare(),
                base.loadNoise(),
                base.migrationMebibytesPerSecond(),
                base.migrationDowntimeMillis(),
                base.migrationCpuShare(),
                base.seed());
    }

    /** A load that moves at random, between a tenth and three quarters of the recorded size. */
    private static double[] wandering(int samples, double most) {
        var random = new Random(7);
        return random.doubles(samples, most / 10, most * 3 / 4).toArray();
    }

    @Test
    void aFixedSizeHasAnIncidentInEachSampleAboveIt() {
        // Sized on 600 m: 720 m are three units, 750 m.
        var score = score(cpu(600, 600, 700, 1_000, 1_500), PolicyKind.QUANTILE, 2);

        assertThat(score.samples()).isEqualTo(3);
        assertThat(score.incidents()).isEqualTo(2);
        assertThat(score.granted()).isEqualTo(3 * 750.0 * PERIOD);
        assertThat(score.unserved()).isEqualTo((250 + 750) * PERIOD);
        assertThat(score.demanded()).isEqualTo((700 + 1_000 + 1_500) * PERIOD);
    }

    @Test
    void aFixedSizeIsNoMoreThanTheRecordedOne() {
        var score = score(cpu(3_700, 3_700, 100), PolicyKind.QUANTILE, 2);

        assertThat(score.granted()).isEqualTo((double) CPUS * PERIOD);
    }

    @Test
    void hindsightGrantsTheLeastUnitsWithoutAnIncident() {
        var score = score(cpu(0, 251, 250, 1_999), PolicyKind.HINDSIGHT, 1);

        assertThat(score.incidents()).isZero();
        assertThat(score.granted()).isEqualTo((500 + 250 + 2_000) * (double) PERIOD);
        assertThat(score.resizes()).isEqualTo(2);
    }

    @Test
    void samplesNearTheRecordedSizeAreCountedApart() {
        var score = score(cpu(600, 600, 700, 3_800, 3_900), PolicyKind.QUANTILE, 2);

        assertThat(score.samples()).isEqualTo(1);
        assertThat(score.incidents()).isZero();
        assertThat(score.censored()).isEqualTo(2);
        assertThat(score.censoredIncidents()).isEqualTo(2);
        assertThat(score.demanded()).isEqualTo(700.0 * PERIOD);
    }

    @Test
    void samplesThatAreMissingAreNotCounted() {
        var score = score(cpu(600, 600, Double.NaN, 700), PolicyKind.QUANTILE, 2);

        assertThat(score.samples()).isEqualTo(1);
        assertThat(score.recorded()).isEqualTo((double) CPUS * PERIOD);
    }

    @Test
    void aLoadAverageShowsAStepTooLateAndTheDemandOfSecondsInTime() {
        var steps = new double[60];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = i / 6 % 2 == 0 ? 200 : 3_000;
        }

        var reference = score(cpu(steps), PolicyKind.AGENT, 12);
        var demand = score(cpu(steps), PolicyKind.DEMAND, 12);

        // One step up each hour.
        assertThat(reference.incidents()).isEqualTo(4);
        assertThat(demand.incidents()).isZero();
        // Five seconds to the scrape that shows it and one until the guest has it, four times, from 250 m to 3 000 m.
        assertThat(demand.unserved()).isEqualTo(4 * 6 * 2_750.0);
    }

    @Test
    void whatIsGivenBackIsReservedUntilTheStatusShowsIt() {
        var falling = cpu(2_000, 2_000, 2_000, 200, 200);

        var score = score(falling, PolicyKind.DEMAND, 3);

        // 60 s of hold, from the scrape after the fall on, and a second until the status shows it.
        assertThat(score.granted())
                .isEqualTo(65 * 2_000.0 + 1 * 2_000.0 + (2 * PERIOD - 66) * 250.0, within(5 * 2_000.0));
        assertThat(score.resizes()).isEqualTo(1);
    }

    @Test
    void memoryInUseAboveTheSizeIsAnOom() {
        // Sized on 1 000 MiB: 1 200 MiB are two units.
        var score = score(memory(1_000, 1_000, 1_000, 3_000, 3_000), PolicyKind.QUANTILE, 2);

        assertThat(score.outOfMemory()).isEqualTo(3);
        assertThat(score(memory(1_000, 1_000, 1_000, 3_000, 3_000), PolicyKind.DEMAND, 2)
                        .outOfMemory())
                .isZero();
    }

    @ParameterizedTest
    @EnumSource(
            value = PolicyKind.class,
            names = {"AGENT", "DEMAND"})
    void fastAndExactModesAgree(PolicyKind kind) {
        for (var series : new TraceSeries[] {cpu(wandering(150, CPUS)), memory(wandering(150, 16_384))}) {
            var exact = score(series, kind, 50, VmModel.DEFAULTS, true);
            var fast = score(series, kind, 50, VmModel.DEFAULTS, false);

            assertThat(exact.granted()).isPositive();
            assertThat(fast.granted()).isCloseTo(exact.granted(), within(exact.granted() * 0.005));
            assertThat(fast.incidents()).isEqualTo(exact.incidents());
        }
    }

    @Test
    void theSameSeedGivesTheSameScore() {
        var series = cpu(wandering(100, CPUS));

        var once = score(series, PolicyKind.DEMAND, 30, withPeaks(2), false);
        var again = score(series, PolicyKind.DEMAND, 30, withPeaks(2), false);

        assertThat(again).usingRecursiveComparison().isEqualTo(once);
    }

    @ParameterizedTest
    @EnumSource(PolicyKind.class)
    void peaksKeepTheMeanOfEachSample(PolicyKind kind) {
        var samples = wandering(60, CPUS);
        var series = cpu(samples);
        double sum = Arrays.stream(samples).skip(20).sum() * PERIOD;

        for (double peakToMean : new double[] {1, 2, 3}) {
            assertThat(score(series, kind, 20, withPeaks(peakToMean), false).demanded())
                    .isCloseTo(sum, within(sum * 1e-9));
        }
    }

    @Test
    void peaksAboveAFixedSizeAreIncidents() {
        var series = cpu(600, 600, 500, 500);

        assertThat(score(series, PolicyKind.QUANTILE, 2, withPeaks(1), false).incidents())
                .isZero();
        assertThat(score(series, PolicyKind.QUANTILE, 2, withPeaks(2), false).incidents())
                .isEqualTo(2);
    }
}
