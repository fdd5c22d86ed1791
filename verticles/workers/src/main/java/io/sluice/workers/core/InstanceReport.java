package io.sluice.workers.core;

/** What a worker reports of one instance. */
public record InstanceReport(String instance, long generation, Observed state, String reason, int exitCode) {
    /** What the worker sees of the instance. */
    public enum Observed {
        CREATING,
        RUNNING,
        DESTROYING,
        TERMINATED,
        FAILED;

        /** Whether something of it may still run. */
        public boolean isLive() {
            return this == CREATING || this == RUNNING || this == DESTROYING;
        }
    }
}
