package io.sluice.agent.core.metrics;

import io.sluice.agent.core.scaling.SystemMetrics;
import java.nio.charset.StandardCharsets;
import java.util.function.IntConsumer;

/**
 * Parses the system metrics of a VM from the Prometheus text format. Each gauge that is read must be declared as one
 * and have exactly one sample with a finite value, whatever its labels; else the whole text is rejected.
 */
public final class MetricsText {
    /** Kernel memory that no gauge shows: counted as used. */
    private static final double KERNEL_BYTES = 100L << 20;

    private MetricsText() {}

    /** Parses the whole text with Vector's names, or returns why it cannot. */
    public static MetricsReading read(String text) {
        return read(GuestMetricNames.VECTOR, text.getBytes(StandardCharsets.UTF_8), lines -> {});
    }

    /**
     * Parses the whole text, or returns why it cannot.
     *
     * @param badLines receives how many lines of metrics that are not read are not of the format
     */
    public static MetricsReading read(GuestMetricNames names, byte[] text, IntConsumer badLines) {
        try {
            var gauges = GaugeText.read(text, names.all());
            badLines.accept(gauges.badLines());
            double load1 = gauges.only(names.load1());
            double load5 = gauges.only(names.load5());
            double usage = gauges.only(names.total()) - gauges.only(names.available()) + KERNEL_BYTES;
            if (!Double.isFinite(usage)) {
                throw new MalformedException(
                        MetricsFault.NOT_FINITE, names.total() + " and " + names.available() + " lie too far apart");
            }
            return new MetricsReading.Read(new SystemMetrics(load1, load5, usage, gauges.only(names.cached())));
        } catch (MalformedException malformed) {
            return new MetricsReading.Rejected(malformed.flaw(), malformed.getMessage());
        }
    }
}
