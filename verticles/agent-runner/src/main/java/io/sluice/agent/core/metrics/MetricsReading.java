package io.sluice.agent.core.metrics;

import io.sluice.agent.core.scaling.SystemMetrics;
import java.util.Objects;

/** The result of parsing a scraped text: all values, or none. */
public sealed interface MetricsReading {
    /**
     * All metrics that are read are there.
     *
     * @param metrics the values
     */
    record Read(SystemMetrics metrics) implements MetricsReading {
        public Read {
            Objects.requireNonNull(metrics, "metrics");
        }
    }

    /** There are no newer metrics yet, and those before are not old. */
    record Unchanged() implements MetricsReading {}

    /**
     * The whole text is to be dropped.
     *
     * @param flaw of what kind it is
     * @param reason in words
     */
    record Rejected(MetricsFault flaw, String reason) implements MetricsReading {
        public Rejected {
            Objects.requireNonNull(flaw, "flaw");
            Objects.requireNonNull(reason, "reason");
        }
    }
}
