package io.sluice.shell.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.units.Resources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadScoreTest {
    private static final LoadScore PACK = new LoadScore.Pack(0.7);
    private static final LoadScore SPREAD = new LoadScore.Spread();

    @ParameterizedTest(name = "{0} in use: {1} and {2}")
    @CsvSource({"0, 0.7, 1", "0.35, 0.85, 0.65", "0.7, 1, 0.3", "0.85, 0.35, 0.15", "1, 0, 0", "1.01, 0, 0"})
    void packsUpToTheTargetAndSpreadsByWhatIsLeft(double share, double pack, double spread) {
        assertThat(PACK.at(share)).isEqualTo(pack, within(1e-9));
        assertThat(SPREAD.at(share)).isEqualTo(spread, within(1e-9));
    }

    @Test
    void theFullerKindCountsAndANodeWithoutOneTakesNothing() {
        assertThat(SPREAD.of(new Resources(250, 900), new Resources(1_000, 1_000)))
                .isEqualTo(0.1, within(1e-9));
        assertThat(SPREAD.of(Resources.NONE, new Resources(0, 1_000))).isZero();
    }
}
