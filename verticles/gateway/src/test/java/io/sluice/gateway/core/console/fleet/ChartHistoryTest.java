package io.sluice.gateway.core.console.fleet;

import static io.sluice.gateway.core.console.fleet.ConsoleFeed.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.units.Resources;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ChartHistoryTest {
    private static final long START = NOW.toEpochMilli();
    private static final long HOUR_MS = 3_600_000;
    private static final int BYTES_MAX = 5_328;

    private final ChartHistory history = new ChartHistory();

    @Test
    void keepsADayByTenMinutesThreeHoursByTheMinuteAndTenMinutesByFiveSeconds() {
        for (long ms = 0; ms < 30 * HOUR_MS; ms += ChartHistory.FINE_STEP_MS) {
            history.add(point(START + ms, ms / 1000));
        }
        var points = history.points();
        long end = START + 30 * HOUR_MS - ChartHistory.FINE_STEP_MS;
        assertThat(points.getLast().atMs()).isEqualTo(end);
        assertThat(points.getFirst().atMs())
                .isBetween(end - 24 * HOUR_MS, end - 24 * HOUR_MS + ChartHistory.COARSE_STEP_MS);
        assertThat(points.stream().filter(point -> point.atMs() > end - 600_000))
                .hasSize(120);
        assertThat(points.stream().filter(point -> point.atMs() > end - 3 * HOUR_MS))
                .hasSizeBetween(120 + 165, 120 + 175);
        assertThat(points.stream().filter(point -> point.atMs() <= end - 3 * HOUR_MS))
                .hasSizeBetween(124, 127);
        assertThat(points).isSortedAccordingTo((one, other) -> Long.compare(one.atMs(), other.atMs()));
        assertThat(points).allMatch(point -> point.size().isPresent());
        assertThat(history.bytes()).isEqualTo(BYTES_MAX);
    }

    @Test
    void growsWithTime() {
        history.add(point(START, 1));
        assertThat(history.bytes()).isLessThan(600);
        for (long ms = 0; ms < 3 * HOUR_MS; ms += ChartHistory.STEP_MS) {
            history.add(point(START + ms, 1));
        }
        assertThat(history.bytes()).isLessThan(4_000);
    }

    @Test
    void leavesHolesOfHoursWhereNothingWasKnown() {
        for (long ms = 0; ms < HOUR_MS; ms += ChartHistory.FINE_STEP_MS) {
            history.add(point(START + ms, 1));
        }
        for (long ms = 6 * HOUR_MS; ms < 12 * HOUR_MS; ms += ChartHistory.FINE_STEP_MS) {
            history.add(point(START + ms, 2));
        }
        assertThat(history.points())
                .filteredOn(point -> point.atMs() >= START && point.atMs() < START + 12 * HOUR_MS)
                .allMatch(point -> point.size().isPresent()
                        == (point.atMs() < START + HOUR_MS || point.atMs() >= START + 6 * HOUR_MS))
                .filteredOn(point -> point.size().isEmpty())
                .hasSize(30);
    }

    @Test
    void leavesHolesWhereNothingWasKnown() {
        history.add(point(START, 1));
        history.add(point(START + 4 * ChartHistory.FINE_STEP_MS, 2));
        assertThat(history.points()).hasSize(5);
        assertThat(history.points().get(1).size()).isEmpty();
        assertThat(history.points().get(1).load1()).isEmpty();
        assertThat(history.points().getLast().load1()).contains(2.0);
    }

    @Test
    void survivesALongSilence() {
        history.add(point(START, 1));
        history.add(point(START + 1_000L * 3_600_000, 2));
        assertThat(history.points().getLast().load1()).contains(2.0);
        assertThat(history.points().stream().filter(point -> point.size().isPresent()))
                .hasSize(1);
        assertThat(history.bytes()).isEqualTo(BYTES_MAX);
    }

    @Test
    void neverGoesBack() {
        history.add(point(START + ChartHistory.FINE_STEP_MS, 1));
        history.add(point(START, 2));
        assertThat(history.points()).hasSize(1);
        assertThat(history.points().getFirst().load1()).contains(1.0);
    }

    /** Compared with a plain map of the last five-second steps. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void keepsWhatItWasGiven(long seed) {
        var random = new Random(seed);
        var model = new TreeMap<Long, Long>();
        long step = START / ChartHistory.FINE_STEP_MS;
        for (int added = 0; added < 500; added++) {
            step += random.nextInt(20) == 0 ? random.nextInt(200) : random.nextInt(2);
            history.add(point(step * ChartHistory.FINE_STEP_MS + random.nextInt(1_000), added % 80));
            model.put(step, added % 80L);
            model.headMap(step - 119).clear();
            for (var point : history.points()) {
                long at = point.atMs() / ChartHistory.FINE_STEP_MS;
                if (at > step - 120 && point.load1().isPresent() && at >= model.firstKey()) {
                    assertThat(point.load1().map(Math::round))
                            .as("seed %d", seed)
                            .contains(model.get(at));
                }
            }
            var kept = history.points().stream()
                    .filter(point -> point.load1().isPresent())
                    .map(point -> point.atMs() / ChartHistory.FINE_STEP_MS)
                    .toList();
            assertThat(kept).as("seed %d", seed).containsAll(model.keySet());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "MILLI_CPU, 0, 0",
        "MILLI_CPU, 2750, 2750",
        "MILLI_CPU, 10250, 10250",
        "MILLI_CPU, 128000, 128000",
        "MILLI_CPU, 12345, 12350",
        "BYTES, 11811160064, 11811160064",
        "BYTES, 1263534080, 1263534080",
        "BYTES, 1099511627776, 1099511627776",
        "BYTES, 500000, 0",
        "BYTES, 600000, 1048576",
        "HUNDREDTHS, 157, 157",
        "HUNDREDTHS, 99999, 100000",
        "MILLI_CPU, -5, 0"
    })
    void keepsNumbersAsUsersReadThem(SmallNumber kind, long value, long kept) {
        assertThat(kind.read(kind.keep(value))).isEqualTo(kept);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 8190, 8191, 8192, 1L << 40, Long.MAX_VALUE})
    void neverMistakesANumberForNone(long value) {
        for (var kind : SmallNumber.values()) {
            assertThat(kind.keep(value)).isNotEqualTo(SmallNumber.NONE);
        }
    }

    private static ChartHistory.Point point(long atMs, double load) {
        return new ChartHistory.Point(
                atMs,
                Optional.of(ConsoleFeed.cu(1)),
                Optional.of(new Resources(500, 2L << 30)),
                Optional.of(load),
                Optional.of(1L << 28));
    }
}
