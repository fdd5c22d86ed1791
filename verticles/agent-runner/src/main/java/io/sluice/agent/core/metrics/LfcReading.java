package io.sluice.agent.core.metrics;

import io.sluice.agent.core.scaling.LfcMetrics;
import java.util.Objects;

/** What a scraped text of a file cache came to: all of it, or nothing. */
public sealed interface LfcReading {
    /**
     * Everything that was looked for is there.
     *
     * @param metrics the values
     */
    record Read(LfcMetrics metrics) implements LfcReading {
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
    record Rejected(MetricsFault flaw, String reason) implements LfcReading {
        public Rejected {
            Objects.requireNonNull(flaw, "flaw");
            Objects.requireNonNull(reason, "reason");
        }
    }
}
