package io.sluice.agent.core.metrics;

import io.sluice.agent.core.scaling.SystemMetrics;
import java.util.Set;

/**
 * Reads the system metrics of a VM from Prometheus' text format. Each gauge looked for must be declared as one and have
 * exactly one sample with a finite value, whatever its labels; else the text is rejected as a whole.
 */
public final class MetricsText {
    /** What the kernel keeps for itself and no gauge shows: counted as used. */
    private static final double KERNEL_BYTES = 100L << 20;

    private static final String LOAD1 = "host_load1";
    private static final String LOAD5 = "host_load5";
    private static final String TOTAL = "host_memory_total_bytes";
    private static final String AVAILABLE = "host_memory_available_bytes";
    private static final String CACHED = "host_memory_cached_bytes";
    private static final Set<String> WANTED = Set.of(LOAD1, LOAD5, TOTAL, AVAILABLE, CACHED);

    private MetricsText() {}

    /** Reads all of the text, or says why it cannot. */
    public static MetricsReading read(String text) {
        try {
            var gauges = GaugeText.read(text, WANTED);
            double load1 = gauges.only(LOAD1);
            double load5 = gauges.only(LOAD5);
            double usage = gauges.only(TOTAL) - gauges.only(AVAILABLE) + KERNEL_BYTES;
            return new MetricsReading.Read(new SystemMetrics(load1, load5, usage, gauges.only(CACHED)));
        } catch (MalformedException malformed) {
            return new MetricsReading.Rejected(malformed.getMessage());
        }
    }
}
