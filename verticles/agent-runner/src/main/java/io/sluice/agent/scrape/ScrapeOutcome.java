package io.sluice.agent.scrape;

import io.sluice.agent.core.metrics.MetricsFault;
import java.util.Locale;

/** How a scrape ended. */
enum ScrapeOutcome {
    /** All metrics that are read are there. */
    OK,
    /** No complete response arrived in time. */
    LATE,
    /** No connection could be opened. */
    REFUSED,
    /** The connection ended before the response did. */
    BROKEN,
    /** The response status is not 200. */
    STATUS,
    /** The response is longer than the limit. */
    TOO_LONG,
    /** The text is not of the format. */
    MALFORMED,
    /** A metric that is read is not there. */
    MISSING,
    /** A metric that is read is no gauge, or is there more than once. */
    WRONG_TYPE,
    /** A value is NaN, or infinite. */
    NOT_FINITE;

    static ScrapeOutcome of(MetricsFault flaw) {
        return switch (flaw) {
            case MALFORMED -> MALFORMED;
            case MISSING -> MISSING;
            case WRONG_TYPE -> WRONG_TYPE;
            case NOT_FINITE -> NOT_FINITE;
        };
    }

    /** The value of the metrics' tag. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
