package io.sluice.pressure.core.migrations;

/** How a migration ended. */
public enum MigrationOutcome {
    /** The VM runs elsewhere. */
    MOVED,
    /** Its driver gave up. */
    FAILED,
    /** It was not running in time. */
    NOT_STARTED,
    /** It was not through in time. */
    TOO_LONG,
    /** It was called off while under way. */
    CANCELLED,
    /** Its driver did not begin it. */
    REFUSED,
    /** It was given up before its driver was asked. */
    DROPPED,
    /** It had ended before it was heard of. */
    FOUND_ENDED;

    /** Whether its VM is left alone for a while. */
    boolean rests() {
        return this != DROPPED;
    }
}
