package io.sluice.agent.core.metrics;

import io.sluice.agent.core.scaling.LfcMetrics;
import java.util.Objects;

/** The result of parsing the text of a file cache: all values, or none. */
public sealed interface LfcReading {
    /**
     * All metrics that are read are there.
     *
     * @param metrics the values
     */
    record Read(LfcMetrics metrics) implements LfcReading {
        public Read {
            Objects.requireNonNull(metrics, "metrics");
        }
    }

    /**
     * The whole text is to be dropped.
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
