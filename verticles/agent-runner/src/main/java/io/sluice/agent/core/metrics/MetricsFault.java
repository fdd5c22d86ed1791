package io.sluice.agent.core.metrics;

/** What makes a scraped text no good. */
public enum MetricsFault {
    /** Some line, or the end of the text, is not of the format. */
    MALFORMED,
    /** A metric that is looked for has no sample, or a part of it is missing. */
    MISSING,
    /** A metric that is looked for is not declared as a gauge, or is there more often than it can be. */
    WRONG_TYPE,
    /** A value that is looked for is NaN or infinite. */
    NOT_FINITE
}
