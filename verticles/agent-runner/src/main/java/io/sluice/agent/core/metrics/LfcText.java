package io.sluice.agent.core.metrics;

import io.sluice.agent.core.scaling.LfcMetrics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntConsumer;

/**
 * Parses the metrics of a VM's file cache from the Prometheus text format. The windows of its working set must be those
 * of 1, 2, 3 ... minutes without a gap, in any order; else the whole text is rejected.
 */
public final class LfcText {
    private static final String WINDOWS = "lfc_approximate_working_set_size_windows";
    private static final String SECONDS = "duration_seconds";
    private static final List<String> COUNTS = List.of("lfc_hits", "lfc_misses", "lfc_writes");
    private static final Set<String> WANTED = Set.of("lfc_hits", "lfc_misses", "lfc_writes", WINDOWS);
    private static final int SECONDS_PER_WINDOW = 60;

    private LfcText() {}

    /** Parses the whole text, or returns why it cannot. */
    public static LfcReading read(String text) {
        return read(text.getBytes(StandardCharsets.UTF_8), lines -> {});
    }

    /**
     * Parses the whole text, or returns why it cannot.
     *
     * @param badLines receives how many lines of metrics that are not read are not of the format
     */
    public static LfcReading read(byte[] text, IntConsumer badLines) {
        try {
            var gauges = GaugeText.read(text, WANTED);
            badLines.accept(gauges.badLines());
            COUNTS.forEach(gauges::only);
            return new LfcReading.Read(new LfcMetrics(windows(gauges.all(WINDOWS))));
        } catch (MalformedException malformed) {
            return new LfcReading.Rejected(malformed.flaw(), malformed.getMessage());
        }
    }

    private static List<Double> windows(List<GaugeText.Sample> samples) {
        var bySeconds = new TreeMap<Integer, Double>();
        for (var sample : samples) {
            int seconds = seconds(sample.labels());
            if (bySeconds.put(seconds, sample.value()) != null) {
                throw new MalformedException(
                        MetricsFault.WRONG_TYPE, WINDOWS + " has two samples of " + seconds + " s");
            }
        }
        int expected = 0;
        for (int seconds : bySeconds.keySet()) {
            expected += SECONDS_PER_WINDOW;
            if (seconds != expected) {
                throw new MalformedException(
                        MetricsFault.MISSING,
                        WINDOWS + " has a sample of " + seconds + " s where " + expected + " s are expected");
            }
        }
        return List.copyOf(bySeconds.values());
    }

    private static int seconds(Map<String, String> labels) {
        var text = labels.getOrDefault(SECONDS, "");
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException notWhole) {
            throw new MalformedException(MetricsFault.WRONG_TYPE, SECONDS + " is not a whole number: " + text);
        }
    }
}
