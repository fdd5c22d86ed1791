package io.sluice.lab.load.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sluice.units.Resources;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GuestLoadTest {
    private static final Instant START = Instant.parse("2026-11-21T00:00:00Z");
    private static final long MIB = 1L << 20;
    private static final Resources FOUR_GIB = new Resources(1000, 4096 * MIB);
    private static final Duration MINUTE_DAY = Duration.ofSeconds(60);

    /** Five minutes of the series in real time, when a day takes a minute. */
    private static final Duration STEP = Duration.ofNanos(208_333_334);

    private static GuestLoad load(double[] percents, ScenarioEvent... events) {
        var series = new LoadSeries("made up", Duration.ofMinutes(5), percents);
        var memory = new MemoryModel(200 * MIB, 300 * MIB, 1024 * MIB);
        return new GuestLoad(new LoadPlan(series, Duration.ZERO, MINUTE_DAY, 4, memory, List.of(events)), START);
    }

    @Test
    void demandsItsShareOfTheStatedCpus() {
        var load = load(new double[] {25, 50});
        assertThat(load.demand()).isEqualTo(1.0);
        load.advance(START.plus(STEP));
        assertThat(load.demand()).isEqualTo(2.0);
        load.advance(START.plus(STEP.multipliedBy(2)));
        assertThat(load.demand()).isEqualTo(1.0);
    }

    @Test
    void beginsAtTheOffset() {
        var series = new LoadSeries("made up", Duration.ofMinutes(5), new double[] {10, 20, 30});
        var plan = new LoadPlan(series, Duration.ofMinutes(12), MINUTE_DAY, 1, new MemoryModel(0, 0, 0), List.of());
        assertThat(new GuestLoad(plan, START).demand()).isEqualTo(0.3);
    }

    @Test
    void dampsInTheSeriesOwnTime() {
        var load = load(new double[] {0, 100, 100, 100});
        load.advance(START.plus(STEP));
        assertThat(load.load1()).isZero();
        // One step of the series is five minutes: five dampings of load1, one of load5.
        load.advance(START.plus(STEP.multipliedBy(2)));
        assertThat(load.load1()).isEqualTo(4 * (1 - Math.exp(-5)), within(1e-3));
        assertThat(load.load5()).isEqualTo(4 * (1 - Math.exp(-1)), within(1e-3));
    }

    @Test
    void showsALoadAboveItsSizeWhenItsDemandIsMoreThanItHas() {
        var load = load(new double[] {100});
        load.advance(START.plusSeconds(1));
        assertThat(load.load1()).isGreaterThan(FOUR_GIB.milliCpu() / 1000.0).isEqualTo(4.0, within(1e-9));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 20261121})
    void isTheSameHoweverOftenItIsLookedAt(long seed) {
        var random = new Random(seed);
        var percents = random.doubles(50, 0, 100).toArray();
        var surge = new ScenarioEvent.Surge(Duration.ofSeconds(2), Duration.ofMillis(777), 3);
        var often = load(percents, surge);
        var once = load(percents, surge);
        var now = START;
        for (int i = 0; i < 200; i++) {
            now = now.plusMillis(random.nextInt(60));
            often.advance(now);
        }
        once.advance(now);
        assertThat(often.load1()).isEqualTo(once.load1(), within(1e-6));
        assertThat(often.load5()).isEqualTo(once.load5(), within(1e-6));
        assertThat(often.memory(FOUR_GIB).usedBytes())
                .isCloseTo(once.memory(FOUR_GIB).usedBytes(), within(MIB));
    }

    @Test
    void holdsMemoryByItsDemandAndCachesInWhatIsFree() {
        var memory = load(new double[] {50}).memory(FOUR_GIB);
        assertThat(memory).isEqualTo(new GuestMemory(3996 * MIB, 800 * MIB, 1024 * MIB, 800 * MIB));
        assertThat(memory.availableBytes()).isEqualTo(3196 * MIB);
        var small = load(new double[] {50}).memory(new Resources(250, 1024 * MIB));
        assertThat(small).isEqualTo(new GuestMemory(924 * MIB, 800 * MIB, 124 * MIB, 800 * MIB));
        var tiny = load(new double[] {50}).memory(new Resources(250, 512 * MIB));
        assertThat(tiny).isEqualTo(new GuestMemory(412 * MIB, 412 * MIB, 0, 412 * MIB));
    }

    @Test
    void allocatesAllAtOnceAndFreesAllAtOnce() {
        var load = load(
                new double[] {0},
                new ScenarioEvent.Allocation(Duration.ofSeconds(5), Duration.ofSeconds(2), 1000 * MIB));
        assertThat(load.memory(FOUR_GIB).usedBytes()).isEqualTo(200 * MIB);
        load.advance(START.plusSeconds(5));
        assertThat(load.memory(FOUR_GIB).usedBytes()).isEqualTo(1200 * MIB);
        load.advance(START.plusSeconds(7));
        assertThat(load.memory(FOUR_GIB).usedBytes()).isEqualTo(200 * MIB);
    }

    @Test
    void countsHeldMemoryForItsMonitorButNotForItsMetrics() {
        var load = load(new double[] {0}, new ScenarioEvent.Hold(Duration.ZERO, Duration.ofSeconds(10), 0.8));
        var memory = load.memory(FOUR_GIB);
        assertThat(memory.usedBytes()).isEqualTo(200 * MIB);
        assertThat(memory.countedBytes()).isEqualTo((long) (3996 * MIB * 0.8));
        load.advance(START.plusSeconds(10));
        assertThat(load.memory(FOUR_GIB).countedBytes()).isEqualTo(200 * MIB);
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> new ScenarioEvent.Hold(Duration.ZERO, Duration.ofSeconds(1), 0.9))
                .hasMessageContaining("share");
        assertThatThrownBy(() -> new LoadSeries("x", Duration.ofMinutes(5), new double[] {1, Double.NaN}))
                .hasMessageContaining("NaN");
        assertThatThrownBy(() -> new MemoryModel(-1, 0, 0)).hasMessageContaining("must not be negative");
    }
}
