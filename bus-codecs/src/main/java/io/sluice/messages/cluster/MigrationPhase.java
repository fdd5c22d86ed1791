package io.sluice.messages.cluster;

/** Where a migration is in its life. */
public enum MigrationPhase {
    /** Nothing was done for it yet. */
    NEW,
    /** Its target pod is being made. */
    PENDING,
    /** The VM is being copied. */
    RUNNING,
    /** The VM runs in the target pod. */
    SUCCEEDED,
    /** The VM stays where it was. */
    FAILED;

    /** Whether nothing more will happen. */
    public boolean ended() {
        return this == SUCCEEDED || this == FAILED;
    }
}
