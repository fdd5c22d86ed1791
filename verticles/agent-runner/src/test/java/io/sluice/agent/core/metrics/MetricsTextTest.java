package io.sluice.agent.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.core.scaling.SystemMetrics;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class MetricsTextTest {
    private static final String GOOD = """
        # HELP host_load1 the load
        # TYPE host_load1 gauge
        host_load1{collector="load",host="a b\\"c"} 1.5 1700000000000
        # TYPE host_load5 gauge
        host_load5 2

        # TYPE host_memory_total_bytes gauge
        host_memory_total_bytes 4e+09
        # TYPE host_memory_available_bytes gauge
        host_memory_available_bytes 3e+09
        # TYPE host_memory_cached_bytes gauge
        host_memory_cached_bytes{} 5e+08
        # TYPE other counter
        other{a="b",} +Inf
        other{a="c"} NaN
        """;

    @Test
    void readsAllFiveGaugesAndAddsWhatTheKernelKeeps() {
        assertThat(MetricsText.read(GOOD))
                .isEqualTo(new MetricsReading.Read(new SystemMetrics(1.5, 2, 1e9 + (100 << 20), 5e8)));
    }

    @Test
    void readsWindowsLineEndsAndALastLineWithoutOne() {
        assertThat(MetricsText.read(GOOD.strip().replace("\n", "\r\n"))).isInstanceOf(MetricsReading.Read.class);
    }

    static Stream<Arguments> rejections() {
        return Stream.of(
                Arguments.of("empty", "", "", "host_load1 is not declared"),
                Arguments.of("no declaration", "# TYPE host_load5 gauge", "", "host_load5 is not declared"),
                Arguments.of("another type", "host_load5 gauge", "host_load5 counter", "host_load5 is not declared"),
                Arguments.of("no sample", "host_load5 2", "", "host_load5 has no sample"),
                Arguments.of("two samples", "host_load5 2", "host_load5 2\nhost_load5{a=\"b\"} 2", "second sample"),
                Arguments.of("declared twice", "host_load5 2", "# TYPE host_load5 gauge", "second declaration"),
                Arguments.of("declared late", "host_load5 2", "x 1\n# TYPE x gauge", "second declaration"),
                Arguments.of("unknown type", "host_load5 gauge", "host_load5 thing", "no type"),
                Arguments.of("not finite", "host_load5 2", "host_load5 NaN", "host_load5 is not finite"),
                Arguments.of("no number", "host_load5 2", "host_load5 abc", "expected a number"),
                Arguments.of("a number with a letter", "host_load5 2", "host_load5 2d", "expected a number"),
                Arguments.of("no value", "host_load5 2", "host_load5", "expected a number"),
                Arguments.of("bad timestamp", "host_load5 2", "host_load5 2 soon", "timestamp"),
                Arguments.of("more after it", "host_load5 2", "host_load5 2 1 1", "follows"),
                Arguments.of("cut off in the labels", "other{a=\"c\"} NaN", "other{a=\"c", "has no end"),
                Arguments.of("cut off in the escape", "other{a=\"c\"} NaN", "other{a=\"c\\", "escape"),
                Arguments.of("no comma", "other{a=\"c\"} NaN", "other{a=\"c\" b=\"d\"} 1", "comma"),
                Arguments.of("a page of HTML", "other{a=\"c\"} NaN", "<html>", "expected a name"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rejections")
    void rejectsAsAWhole(String name, String line, String instead, String reason) {
        var text = line.isEmpty() ? "" : GOOD.replaceFirst(Pattern.quote(line), Matcher.quoteReplacement(instead));
        assertThat(text).isNotEqualTo(GOOD);
        assertThat(MetricsText.read(text))
                .isInstanceOfSatisfying(
                        MetricsReading.Rejected.class,
                        rejected -> assertThat(rejected.reason()).contains(reason));
    }
}
