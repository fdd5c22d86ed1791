package io.sluice.hostile;

import io.sluice.agent.core.metrics.GuestMetricNames;
import io.sluice.agent.core.metrics.LfcReading;
import io.sluice.agent.core.metrics.LfcText;
import io.sluice.agent.core.metrics.MetricsReading;
import io.sluice.agent.core.metrics.MetricsText;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Metric texts for the readers of a VM's load and of its file cache: they return finite numbers, or a rejection with
 * its reason.
 */
@Isolated("measures what the heap keeps")
class MetricsFuzzTest {
    private static final int BYTES_MAX = 16 << 10;
    private static final int REASON_MAX = 1000;
    private static final byte[] SYSTEM = """
        # HELP host_load1 Load of a minute.
        # TYPE host_load1 gauge
        host_load1{collector="load",host="vm"} 0.42 1732300000000
        # TYPE host_load5 gauge
        host_load5 1.5
        # TYPE host_memory_total_bytes gauge
        host_memory_total_bytes{a="b",} 4294967296
        # TYPE host_memory_available_bytes gauge
        host_memory_available_bytes 2e+09
        # TYPE host_memory_cached_bytes gauge
        host_memory_cached_bytes 1.5e8
        # TYPE http_seconds histogram
        http_seconds_bucket{le="+Inf",path="\\"/\\\\\\n"} 7
        """.getBytes(StandardCharsets.UTF_8);
    private static final byte[] FILE_CACHE = """
        # TYPE lfc_hits gauge
        lfc_hits 10
        # TYPE lfc_misses gauge
        lfc_misses 3
        # TYPE lfc_writes gauge
        lfc_writes 0
        # TYPE lfc_approximate_working_set_size_windows gauge
        lfc_approximate_working_set_size_windows{duration_seconds="60"} 100
        lfc_approximate_working_set_size_windows{duration_seconds="120"} 200
        lfc_approximate_working_set_size_windows{duration_seconds="180"} 250
        """.getBytes(StandardCharsets.UTF_8);
    private static final List<byte[]> WORDS = Mutator.texts(
            "NaN",
            "+Inf",
            "-Inf",
            "# TYPE ",
            "# HELP ",
            "gauge\n",
            "counter",
            "untyped",
            "{",
            "}",
            ",",
            "=\"",
            "\\n",
            "\\x",
            "\n",
            "\r\n",
            "duration_seconds=\"240\"",
            "host_load1 ",
            "# EOF\n",
            "\t");

    private static final class Texts implements Fuzz.Target {
        @Override
        public boolean play(byte[] input, RandomGenerator random) {
            return isGood(MetricsText.read(GuestMetricNames.VECTOR, input, lines -> {}))
                    | isGood(LfcText.read(input, lines -> {}));
        }

        private static boolean isGood(MetricsReading reading) {
            return switch (reading) {
                case MetricsReading.Read(var found) ->
                    finite(List.of(found.load1(), found.load5(), found.usageBytes(), found.cachedBytes()));
                case MetricsReading.Rejected(var flaw, var reason) -> refused(reason);
                case MetricsReading.Unchanged _ -> throw new AssertionError("a text that was read has something new");
            };
        }

        private static boolean isGood(LfcReading reading) {
            return switch (reading) {
                case LfcReading.Read(var found) -> finite(found.windows());
                case LfcReading.Rejected(var flaw, var reason) -> refused(reason);
            };
        }

        private static boolean finite(List<Double> values) {
            if (!values.stream().allMatch(Double::isFinite)) {
                throw new IllegalStateException("not finite: " + values);
            }
            return true;
        }

        private static boolean refused(String reason) {
            if (reason.isBlank() || reason.length() > REASON_MAX) {
                throw new IllegalStateException("a reason of " + reason.length() + " characters: " + reason);
            }
            return false;
        }

        @Override
        public Object state() {
            return List.of(
                    MetricsText.read(GuestMetricNames.VECTOR, SYSTEM, lines -> {}),
                    LfcText.read(FILE_CACHE, lines -> {}));
        }
    }

    @Test
    void aTextIsReadOrRejectedAndNothingElse() throws Exception {
        Fuzz.play("metrics text", 20, new Mutator(List.of(SYSTEM, FILE_CACHE), WORDS, BYTES_MAX), new Texts());
    }
}
