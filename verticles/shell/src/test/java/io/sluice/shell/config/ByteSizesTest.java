package io.sluice.shell.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizesTest {
    @ParameterizedTest
    @CsvSource({
        "0B, 0",
        "1B, 1",
        "1000B, 1000",
        "1KiB, 1024",
        "64MiB, 67108864",
        "5GiB, 5368709120",
        "1TiB, 1099511627776"
    })
    void readsWhatItWrites(String text, long bytes) {
        assertThat(ByteSizes.parse(text)).hasValue(bytes);
        assertThat(ByteSizes.text(bytes)).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1M", "1Mi", "1MB", "-1B", "1.5MiB", "1 MiB", "1234567MiB", "MiB"})
    void refusesWhatHasNoUnitOfTheseOrIsNoWholeNumber(String text) {
        assertThat(ByteSizes.parse(text)).isEmpty();
    }
}
