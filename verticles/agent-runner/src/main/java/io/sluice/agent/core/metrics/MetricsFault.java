package io.sluice.agent.core.metrics;

/** Why a scraped text cannot be used. */
public enum MetricsFault {
    /** Some line, or the end of the text, is not of the format. */
    MALFORMED,
    /** A metric that is read has no sample, or a part of it is missing. */
    MISSING,
    /** A metric that is read is not declared as a gauge, or is there more often than it can be. */
    WRONG_TYPE,
    /** A value that is read is NaN or infinite. */
    NOT_FINITE
}
