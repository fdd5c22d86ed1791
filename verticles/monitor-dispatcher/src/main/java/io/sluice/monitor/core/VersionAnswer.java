package io.sluice.monitor.core;

/** A monitor's answer to the range of protocol versions. */
public sealed interface VersionAnswer {
    /** It accepts the version of the dispatcher. */
    record Agreed() implements VersionAnswer {}

    /**
     * It does not accept it, or its answer is invalid.
     *
     * @param problem in words
     */
    record Refused(String problem) implements VersionAnswer {}
}
