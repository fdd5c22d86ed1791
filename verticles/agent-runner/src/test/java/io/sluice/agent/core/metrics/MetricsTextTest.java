package io.sluice.agent.core.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.agent.core.scaling.SystemMetrics;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

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
        more 1.
        more{a="b"} .5e-3
        more{a="c"} -inf
        more{a="d"} 0
        """;

    /** As that exporter writes it: sorted by name, labels without blanks, large numbers with an exponent. */
    private static final String NODE_EXPORTER = """
        # HELP go_goroutines Number of goroutines that currently exist.
        # TYPE go_goroutines gauge
        go_goroutines 8
        # HELP node_cpu_seconds_total Seconds the CPUs spent in each mode.
        # TYPE node_cpu_seconds_total counter
        node_cpu_seconds_total{cpu="0",mode="idle"} 36219.5
        node_cpu_seconds_total{cpu="0",mode="iowait"} 12.03
        # HELP node_filesystem_avail_bytes Filesystem space available to non-root users in bytes.
        # TYPE node_filesystem_avail_bytes gauge
        node_filesystem_avail_bytes{device="/dev/vda1",device_error="",fstype="ext4",mountpoint="/"} 3.1e+10
        # HELP node_load1 1m load average.
        # TYPE node_load1 gauge
        node_load1 0.21
        # HELP node_load15 15m load average.
        # TYPE node_load15 gauge
        node_load15 0.4
        # HELP node_load5 5m load average.
        # TYPE node_load5 gauge
        node_load5 0.35
        # HELP node_memory_Cached_bytes Memory information field Cached_bytes.
        # TYPE node_memory_Cached_bytes gauge
        node_memory_Cached_bytes 7.281672192e+09
        # HELP node_memory_MemAvailable_bytes Memory information field MemAvailable_bytes.
        # TYPE node_memory_MemAvailable_bytes gauge
        node_memory_MemAvailable_bytes 1.2052852736e+10
        # HELP node_memory_MemTotal_bytes Memory information field MemTotal_bytes.
        # TYPE node_memory_MemTotal_bytes gauge
        node_memory_MemTotal_bytes 1.638463488e+10
        # HELP node_uname_info Labeled system information as provided by the uname system call.
        # TYPE node_uname_info gauge
        node_uname_info{domainname="(none)",machine="x86_64",nodename="vm",release="6.1.0",version="#1 SMP"} 1
        """;

    @Test
    void readsAllFiveGaugesAndAddsWhatTheKernelKeeps() {
        assertThat(MetricsText.read(GOOD))
                .isEqualTo(new MetricsReading.Read(new SystemMetrics(1.5, 2, 1e9 + (100 << 20), 5e8)));
    }

    @Test
    void readsWindowsLineEnds() {
        assertThat(MetricsText.read(GOOD.replace("\n", "\r\n"))).isInstanceOf(MetricsReading.Read.class);
    }

    @Test
    void readsTheOtherExportersNamesAndOnlyThose() {
        assertThat(MetricsText.read(GuestMetricNames.NODE_EXPORTER, bytes(NODE_EXPORTER), lines -> {}))
                .isEqualTo(new MetricsReading.Read(
                        new SystemMetrics(0.21, 0.35, 16384634880.0 - 12052852736.0 + (100 << 20), 7281672192.0)));
        assertThat(flaw(MetricsText.read(GuestMetricNames.VECTOR, bytes(NODE_EXPORTER), lines -> {})))
                .isEqualTo(MetricsFault.MISSING);
        assertThat(flaw(MetricsText.read(GuestMetricNames.NODE_EXPORTER, bytes(GOOD), lines -> {})))
                .isEqualTo(MetricsFault.MISSING);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "node_load1 gauge | node_load1 untyped | WRONG_TYPE",
                "node_load5 0.35 | node_load5 NaN | NOT_FINITE",
                "node_memory_Cached_bytes 7.281672192e+09 | node_memory_Buffers_bytes 1 | MISSING",
                "node_memory_MemTotal_bytes 1.638463488e+10 | node_memory_MemTotal_bytes 16 GB | MALFORMED"
            })
    void isAsStrictWithTheOtherExporter(String line, String instead, MetricsFault flaw) {
        var text = NODE_EXPORTER.replace(line, instead);
        assertThat(text).isNotEqualTo(NODE_EXPORTER);
        assertThat(flaw(MetricsText.read(GuestMetricNames.NODE_EXPORTER, bytes(text), lines -> {})))
                .isEqualTo(flaw);
    }

    /** No truncated page is accepted as a whole one, unless only metrics are missing that are not read. */
    @Test
    void rejectsWhateverWasCutOffWithinALine() {
        var text = bytes(GOOD);
        for (int length = 1; length < text.length; length++) {
            var reading = MetricsText.read(GuestMetricNames.VECTOR, Arrays.copyOf(text, length), lines -> {});
            boolean whole =
                    text[length - 1] == '\n' && GOOD.substring(0, length).contains("cached_bytes{} 5e+08");
            assertThat(reading instanceof MetricsReading.Read)
                    .as("the first %d bytes", length)
                    .isEqualTo(whole);
        }
    }

    @Test
    void rejectsALabelsValueThatIsNoText() {
        var text = bytes(GOOD);
        text[GOOD.indexOf("a b\\\"c")] = (byte) 0xff;
        assertThat(flaw(MetricsText.read(GuestMetricNames.VECTOR, text, lines -> {})))
                .isEqualTo(MetricsFault.MALFORMED);
        assertThat(MetricsText.read(GOOD.replace("a b", "\u00e4 \u20ac"))).isInstanceOf(MetricsReading.Read.class);
    }

    /** Each pair of a line's labels is compared: a line of nothing but labels must not block an event loop. */
    @Test
    void readsNoMoreLabelsOfALineThanAnybodyHas() {
        var labels =
                IntStream.range(0, 65).mapToObj(i -> "l" + i + "=\"\"").collect(Collectors.joining(",", "x{", "} 1\n"));
        assertThat(badLines(bytes(GOOD + labels))).isEqualTo(1);
        assertThat(badLines(bytes(GOOD + labels.replace(",l64=\"\"", "")))).isZero();
        assertThat(MetricsText.read(GOOD.replace("host_load5 2", labels.replace("x{", "host_load5{"))))
                .isInstanceOf(MetricsReading.Rejected.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "other{a=\"c",
                "other{a=\"c\\",
                "other{a=\"c\" b=\"d\"} 1",
                "other{a=\"c\",a=\"d\"} 1",
                "other 0x1p4",
                "other -",
                "other 1e",
                "other 1 soon",
                "other 1 1 1",
                "# TYPE other thing",
                "host_load5_of_all 1d",
                "<html>"
            })
    void countsAndSkipsALineOfWhatIsNotRead(String line) {
        var text = GOOD.replaceFirst(Pattern.quote("other{a=\"c\"} NaN"), Matcher.quoteReplacement(line));
        assertThat(text).isNotEqualTo(GOOD);
        assertThat(MetricsText.read(text)).isEqualTo(MetricsText.read(GOOD)).isInstanceOf(MetricsReading.Read.class);
        assertThat(badLines(bytes(text))).isEqualTo(1);
        assertThat(badLines(bytes(GOOD))).isZero();
    }

    private static int badLines(byte[] text) {
        var counted = new AtomicInteger();
        assertThat(MetricsText.read(GuestMetricNames.VECTOR, text, counted::addAndGet))
                .isInstanceOf(MetricsReading.Read.class);
        return counted.get();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static MetricsFault flaw(MetricsReading reading) {
        return ((MetricsReading.Rejected) reading).flaw();
    }

    static Stream<Arguments> rejections() {
        return Stream.of(
                Arguments.of("empty", "", "", "host_load1 is not declared"),
                Arguments.of("no declaration", "# TYPE host_load5 gauge", "", "host_load5 is not declared"),
                Arguments.of("another type", "host_load5 gauge", "host_load5 counter", "host_load5 is not declared"),
                Arguments.of("no sample", "host_load5 2", "", "host_load5 has no sample"),
                Arguments.of("two samples", "host_load5 2", "host_load5 2\nhost_load5{a=\"b\"} 2", "second sample"),
                Arguments.of("declared twice", "host_load5 2", "# TYPE host_load5 gauge", "second declaration"),
                Arguments.of(
                        "declared late",
                        "# TYPE host_load5 gauge",
                        "host_load5 1\n# TYPE host_load5 gauge",
                        "second declaration"),
                Arguments.of("unknown type", "host_load5 gauge", "host_load5 thing", "not a metric type"),
                Arguments.of("not finite", "host_load5 2", "host_load5 NaN", "host_load5 is not finite"),
                Arguments.of("no number", "host_load5 2", "host_load5 abc", "expected a number"),
                Arguments.of("a number with a letter", "host_load5 2", "host_load5 2d", "expected a number"),
                Arguments.of("no value", "host_load5 2", "host_load5", "expected a number"),
                Arguments.of("bad timestamp", "host_load5 2", "host_load5 2 soon", "timestamp"),
                Arguments.of("more after it", "host_load5 2", "host_load5 2 1 1", "follows"),
                Arguments.of("cut off in the labels", "host_load5 2", "host_load5{a=\"c", "is not closed"),
                Arguments.of("cut off in the escape", "host_load5 2", "host_load5{a=\"c\\", "escape"),
                Arguments.of("no comma", "host_load5 2", "host_load5{a=\"c\" b=\"d\"} 1", "comma"),
                Arguments.of("a label twice", "host_load5 2", "host_load5{a=\"c\",a=\"d\"} 1", "twice"),
                Arguments.of("a hexadecimal number", "host_load5 2", "host_load5 0x1p4", "expected a number"),
                Arguments.of("a sign alone", "host_load5 2", "host_load5 -", "expected a number"),
                Arguments.of("half an exponent", "host_load5 2", "host_load5 1e", "expected a number"));
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

    @Test
    void rejectsFiniteAmountsWithAnInfiniteDifference() {
        var text = GOOD.replace("4e+09", "1.7e+308").replace("3e+09", "-1.7e+308");
        assertThat(MetricsText.read(text))
                .isEqualTo(new MetricsReading.Rejected(
                        MetricsFault.NOT_FINITE,
                        "host_memory_total_bytes and host_memory_available_bytes lie too far apart"));
    }
}
