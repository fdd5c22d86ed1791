package io.sluice.agent.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.core.scaling.LfcMetrics;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LfcTextTest {
    private static final String GOOD = """
        # TYPE lfc_hits gauge
        lfc_hits 7
        # TYPE lfc_misses gauge
        lfc_misses{job="sql"} 8
        # TYPE lfc_writes gauge
        lfc_writes 9
        # TYPE lfc_approximate_working_set_size_windows gauge
        lfc_approximate_working_set_size_windows{duration_seconds="120"} 20
        lfc_approximate_working_set_size_windows{job="sql",duration_seconds="60"} 10
        lfc_approximate_working_set_size_windows{duration_seconds="180"} 30 1700000000000
        """;

    @Test
    void readsTheWindowsInTheirOrder() {
        assertThat(LfcText.read(GOOD)).isEqualTo(new LfcReading.Read(new LfcMetrics(List.of(10.0, 20.0, 30.0))));
    }

    static Stream<Arguments> rejections() {
        return Stream.of(
                Arguments.of("a gap", "\"60\"", "\"240\"", "a sample of 120 s where 60 s are expected"),
                Arguments.of("the same twice", "\"120\"", "\"60\"", "two samples of 60 s"),
                Arguments.of("no whole number", "\"60\"", "\"60.0\"", "not a whole number: 60.0"),
                Arguments.of("no length", "duration_seconds=\"60\"", "d=\"60\"", "not a whole number"),
                Arguments.of("no count", "lfc_misses{job=\"sql\"} 8", "", "lfc_misses has no sample"),
                Arguments.of("not finite", "} 20", "} NaN", "is not finite"),
                Arguments.of("another type", "lfc_hits gauge", "lfc_hits counter", "lfc_hits is not declared"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rejections")
    void rejectsAsAWhole(String name, String part, String instead, String reason) {
        var text = GOOD.replace(part, instead);
        assertThat(text).isNotEqualTo(GOOD);
        assertThat(LfcText.read(text))
                .isInstanceOfSatisfying(
                        LfcReading.Rejected.class,
                        rejected -> assertThat(rejected.reason()).contains(reason));
    }

    @Test
    void quotesLittleOfWhatAGuestWrote() {
        var text = GOOD.replace("\"60\"", '"' + "9".repeat(100_000) + '"');
        assertThat(LfcText.read(text))
                .isInstanceOfSatisfying(
                        LfcReading.Rejected.class,
                        rejected -> assertThat(rejected.reason())
                                .contains("not a whole number: 999")
                                .hasSizeLessThan(300));
    }
}
