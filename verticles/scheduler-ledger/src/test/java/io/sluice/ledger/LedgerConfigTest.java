package io.sluice.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ledger.core.LastPermitTrust;
import io.sluice.shell.Portions;
import io.sluice.shell.config.Durations;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerConfigTest {
    @Test
    void theDefaultsTrustNoAgentAndCheckEverything() {
        assertThat(LedgerConfig.DEFAULTS.trustLastPermit()).isEqualTo(LastPermitTrust.RECOVERY);
        assertThat(LedgerConfig.DEFAULTS.checkInvariants()).isTrue();
        assertThat(LedgerConfig.DEFAULTS.permitValidFor()).isEqualTo(Duration.ofSeconds(10));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.1, 1.01, Double.NaN})
    void aWatermarkOutsideItsRangeIsNamed(double watermark) {
        assertThatThrownBy(() -> config(Duration.ofSeconds(1), watermark))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ledger.watermark=" + watermark);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 601})
    void aPermitThatLapsesAtOnceOrNeverIsNamed(long seconds) {
        assertThatThrownBy(() -> config(Duration.ofSeconds(seconds), 0.9))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ledger.permitValidFor=" + Durations.text(Duration.ofSeconds(seconds)));
    }

    private static LedgerConfig config(Duration permitValidFor, double watermark) {
        return new LedgerConfig(
                permitValidFor, watermark, Portions.NOTHING, LastPermitTrust.RECOVERY, Duration.ZERO, true);
    }
}
