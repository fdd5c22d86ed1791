package io.sluice.agent;

import io.sluice.agent.core.metrics.MetricsFault;
import java.util.Locale;

/** How a scrape ended. */
enum ScrapeOutcome {
    /** All that was looked for is there. */
    OK,
    /** No whole answer came in time. */
    LATE,
    /** No connection was to be had. */
    REFUSED,
    /** The connection ended before the answer did. */
    BROKEN,
    /** The answer is not 200. */
    STATUS,
    /** The answer is longer than what is read. */
    TOO_LONG,
    /** The text is not of the format. */
    MALFORMED,
    /** Something that was looked for is not there. */
    MISSING,
    /** Something that was looked for is no gauge, or is there more than once. */
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

    /** As metrics name it. */
    String label() {
        return name().toLowerCase(Locale.ROOT);
    }
}
