package io.sluice.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.units.Resources;
import java.time.Duration;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantitiesTest {
    /** Each of them written out would take much longer. */
    private static final Duration AT_ONCE = Duration.ofSeconds(60);

    @ParameterizedTest
    @CsvSource({"250m,250", "0.25,250", "2,2000", "1.5,1500", "100u,1", "1k,1000000", "0,0"})
    void readsCpuRoundedUpToThousandths(String text, long milliCpu) {
        assertThat(Quantities.milliCpu(text)).isEqualTo(milliCpu);
    }

    @ParameterizedTest
    @CsvSource({"1Gi,1073741824", "1073741824,1073741824", "1G,1000000000", "1e3,1000", "512Ki,524288", "0.5,1"})
    void readsMemoryRoundedUpToBytes(String text, long bytes) {
        assertThat(Quantities.bytes(text)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "x", "1x", "-1", "-1Gi", "1e31", "1e30000000", "1e999999999", "1e2147483647", "9Ei1", "16Ei"
            })
    void refusesAtOnceWhatIsNoAmount(String text) {
        Assertions.assertTimeoutPreemptively(AT_ONCE, () -> {
            assertThatThrownBy(() -> Quantities.bytes(text)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> Quantities.milliCpu(text)).isInstanceOf(IllegalArgumentException.class);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e-999999999", "-1e999999999", "-1e-2147483647"})
    void anExponentCostsNoTime(String text) {
        Assertions.assertTimeoutPreemptively(
                AT_ONCE,
                () -> assertThatThrownBy(() -> Quantities.milliCpu(text)).isInstanceOf(IllegalArgumentException.class));
    }

    @Test
    void writesTheShortestText() {
        assertThat(Quantities.cpuText(2000)).isEqualTo("2");
        assertThat(Quantities.cpuText(250)).isEqualTo("250m");
        assertThat(Quantities.memoryText(4L << 30)).isEqualTo("4Gi");
        assertThat(Quantities.memoryText(1023)).isEqualTo("1023");
        assertThat(Quantities.memoryText(0)).isEqualTo("0");
        assertThat(Quantities.text(new Resources(1500, 6L << 30))).isEqualTo("1500m/6Gi");
    }
}
