package io.sluice.messages.cluster;

/** The phase of a migration. */
public enum MigrationPhase {
    /** It has not begun. */
    NEW,
    /** Its target pod is being created. */
    PENDING,
    /** The VM is being copied. */
    RUNNING,
    /** The VM runs in the target pod. */
    SUCCEEDED,
    /** The VM stays in its source pod. */
    FAILED;

    /** Whether this phase is final. */
    public boolean ended() {
        return this == SUCCEEDED || this == FAILED;
    }
}
