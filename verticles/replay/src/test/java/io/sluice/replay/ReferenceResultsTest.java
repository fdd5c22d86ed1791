package io.sluice.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sluice.replay.core.fleet.FleetPolicy;
import io.sluice.replay.core.fleet.FleetReplay;
import io.sluice.replay.core.fleet.FleetScore;
import io.sluice.replay.read.TraceReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: the fleet model gives what CloudSim 3.0.3 gives on the days of its authors. Method: its results, of inputs that
 * are sorted by name. The traces are not part of the repository: {@code -Dreplay.data} names their folder.
 */
class ReferenceResultsTest {
    private static final int NODES = 800;

    private static FleetScore score(String day, FleetPolicy policy) throws Exception {
        var data = System.getProperty("replay.data", "");
        var file = Path.of(data, "planetlab-2011", day + ".csv.gz");
        assumeTrue(!data.isEmpty() && Files.exists(file), "-Dreplay.data names no folder with " + file);
        var loads = new TraceReader(false, 0)
                .read(file).stream()
                        .map(series -> Arrays.stream(series.samples())
                                .map(sample -> sample / series.capacity())
                                .toArray())
                        .toList();
        return FleetReplay.score(policy, loads, NODES, () -> false).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "20110303, LR_MMT, 163.48, 27859, 5.86, 5053",
        "20110303, MAD_MMT, 185.79, 26556, 5.05, 5828",
        "20110303, IQR_MMT, 189.98, 26282, 4.82, 5868",
        "20110303, THR_MMT, 192.62, 26711, 4.91, 5885",
        "20110306, LR_MMT, 123.28, 20878, 5.88, 4018"
    })
    void areMetWithinFivePercent(
            String day, FleetPolicy policy, double kilowattHours, int migrations, double slatah, int shutdowns)
            throws Exception {
        var score = score(day, policy);

        assertThat(score.kilowattHours()).isCloseTo(kilowattHours, withinPercentage(5));
        assertThat(score.migrations()).isCloseTo(migrations, withinPercentage(5));
        assertThat(100 * score.slatah()).isCloseTo(slatah, withinPercentage(5));
        assertThat(score.shutdowns()).isCloseTo(shutdowns, withinPercentage(5));
    }

    @ParameterizedTest
    @CsvSource({
        "20110303, LR_MMT, 0.00464",
        "20110303, IQR_MMT, 0.00301",
        "20110303, THR_MMT, 0.00318",
        "20110306, LR_MMT, 0.00462"
    })
    void ofSlavAreMetWithinFivePercentExceptByMad(String day, FleetPolicy policy, double slavPercent) throws Exception {
        assertThat(100 * score(day, policy).slav()).isCloseTo(slavPercent, withinPercentage(5));
    }

    @ParameterizedTest
    @CsvSource({"20110303, 802.75, 455"})
    void withoutMigrationsAreMetExactly(String day, double kilowattHours, int shutdowns) throws Exception {
        var score = score(day, FleetPolicy.DVFS);

        assertThat(score.kilowattHours()).isCloseTo(kilowattHours, withinPercentage(0.001));
        assertThat(score.shutdowns()).isEqualTo(shutdowns);
        assertThat(score.migrations()).isZero();
    }
}
