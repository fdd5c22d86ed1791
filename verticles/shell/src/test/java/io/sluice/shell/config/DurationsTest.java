package io.sluice.shell.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({"250ms,PT0.25S", "5s,PT5S", "10m,PT10M", "1h,PT1H", "1h30m,PT1H30M", "0s,PT0S", "1m5s250ms,PT1M5.25S"})
    void readsWhatItWrites(String text, Duration duration) {
        assertThat(Durations.parse(text)).contains(duration);
        assertThat(Durations.text(duration)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "-5s", "5 s", "1.5s", "5s1m", "5S", "PT5S", "5d", "99999999999s"})
    void readsNothingElse(String text) {
        assertThat(Durations.parse(text)).isEmpty();
    }
}
