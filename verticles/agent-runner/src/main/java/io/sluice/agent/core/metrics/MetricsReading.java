package io.sluice.agent.core.metrics;

import io.sluice.agent.core.scaling.SystemMetrics;
import java.util.Objects;

/** What a scraped text came to: all of it, or nothing. */
public sealed interface MetricsReading {
    /**
     * Everything that was looked for is there.
     *
     * @param metrics the values
     */
    record Read(SystemMetrics metrics) implements MetricsReading {
        public Read {
            Objects.requireNonNull(metrics, "metrics");
        }
    }

    /**
     * The text is to be dropped as a whole.
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
