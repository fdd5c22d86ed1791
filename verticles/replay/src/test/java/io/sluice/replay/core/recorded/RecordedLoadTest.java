package io.sluice.replay.core.recorded;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.core.scaling.CoreConfig;
import io.sluice.agent.core.scaling.SystemMetrics;
import io.sluice.agent.core.scaling.VmInfo;
import io.sluice.messages.cluster.ScalingOverrides;
import io.sluice.units.ResourceKind;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Goal: samples of one period become their mean. Method: memory in use every five seconds, in periods of ten. */
class RecordedLoadTest {
    private static final int APART = 5;
    private static final double RESERVE = 100;

    private final RecordedLoad load = new RecordedLoad();

    private void sample(int second, double mebibytes, int period) {
        var metrics = new SystemMetrics(1, 1, (mebibytes + RESERVE) * (1 << 20), 0);
        load.sampled(second / period, metrics, Instant.ofEpochSecond(second), period);
    }

    private double[] memory(int period) {
        var unit = CoreConfig.DEFAULTS.computeUnit();
        load.observed(new VmInfo(
                unit,
                unit.times(16),
                unit,
                unit.memoryBytes(),
                ScalingOverrides.NONE,
                Optional.empty(),
                Optional.of(unit)));
        return load.series("vm", ResourceKind.MEMORY, period, 0, load.used()).samples();
    }

    @Test
    void aPeriodHasTheMeanOfItsSamples() {
        sample(0, 0, 2 * APART);
        sample(5, 1_000, 2 * APART);
        sample(10, 300, 2 * APART);

        assertThat(memory(2 * APART)).containsExactly(500, 300);
    }

    @Test
    void aPeriodThatWasHalfOverWhenPeriodsBecameLongerHasTheMeanToo() {
        sample(0, 200, APART);
        sample(5, 400, APART);
        sample(10, 0, APART);
        load.halve();
        sample(15, 1_000, 2 * APART);

        assertThat(memory(2 * APART)).containsExactly(300, 500);
    }

    @Test
    void samplesCountAlikeHoweverOftenPeriodsBecameLonger() {
        sample(0, 0, APART);
        sample(5, 300, APART);
        load.halve();
        load.halve();
        sample(10, 600, 4 * APART);
        sample(15, 900, 4 * APART);

        assertThat(memory(4 * APART)).containsExactly(450);
    }
}
