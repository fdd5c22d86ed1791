package io.sluice.monitor.core;

/** How a monitor took our range of protocol versions. */
public sealed interface VersionAnswer {
    /** It speaks the version we speak. */
    record Agreed() implements VersionAnswer {}

    /**
     * It does not, or what it said is no answer.
     *
     * @param problem in words
     */
    record Refused(String problem) implements VersionAnswer {}
}
