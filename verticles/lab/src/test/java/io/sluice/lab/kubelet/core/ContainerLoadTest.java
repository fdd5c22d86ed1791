package io.sluice.lab.kubelet.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.lab.load.core.LoadPlan;
import io.sluice.lab.load.core.LoadSeries;
import io.sluice.lab.load.core.MemoryModel;
import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContainerLoadTest {
    private static final Instant START = Instant.EPOCH;
    private static final long MIB = 1L << 20;

    /** Half a day with one CPU of demand, and half a day with two; a day takes 20 s. */
    private final ContainerLoad load = new ContainerLoad(
            new LoadPlan(
                    new LoadSeries("steps", Duration.ofHours(12), new double[] {50, 100}),
                    Duration.ZERO,
                    Duration.ofSeconds(20),
                    2,
                    new MemoryModel(300 * MIB, 0, 0),
                    List.of()),
            new Resources(1_500, 1024 * MIB),
            START);

    private ContainerLoad.Sample after(int seconds) {
        return load.advance(START.plusSeconds(seconds));
    }

    @Test
    void usesWhatItsLoadNeeds() {
        var sample = after(8);

        assertThat(sample.cpuSeconds()).isEqualTo(8, within(0.001));
        assertThat(sample.periods()).isEqualTo(80, within(0.001));
        assertThat(sample.throttled()).isZero();
        assertThat(sample.workingSetBytes()).isEqualTo(300 * MIB);
    }

    @Test
    void usesItsLimitAtMostAndIsThrottledThen() {
        after(10);
        var sample = after(14);

        assertThat(sample.cpuSeconds()).isEqualTo(10 + 4 * 1.5, within(0.001));
        assertThat(sample.throttled()).isEqualTo(40, within(0.001));
        assertThat(load.cpus()).isEqualTo(1.5);
    }

    @Test
    void usesMoreOnceItsLimitIsLarger() {
        after(10);
        load.limit(new Resources(4_000, 200 * MIB));
        var sample = after(14);

        assertThat(sample.cpuSeconds()).isEqualTo(10 + 4 * 2, within(0.001));
        assertThat(sample.throttled()).isZero();
        assertThat(sample.workingSetBytes()).as("no more than it may").isLessThanOrEqualTo(200 * MIB);
    }
}
