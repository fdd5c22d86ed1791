package io.sluice.pressure.core.actions;

/** The outcome of a migration. */
public enum MigrationOutcome {
    /** The VM runs on another node. */
    MOVED,
    /** Its driver gave up. */
    FAILED,
    /** It was not running in time. */
    NOT_STARTED,
    /** It was not complete in time. */
    TOO_LONG,
    /** It was cancelled while under way. */
    CANCELLED,
    /** Its driver did not begin it. */
    REFUSED,
    /** It was given up before its driver got a request. */
    DROPPED,
    /** It had ended before it was observed. */
    FOUND_ENDED;

    /** Whether its VM goes into cooldown. */
    public boolean rests() {
        return this != DROPPED;
    }
}
