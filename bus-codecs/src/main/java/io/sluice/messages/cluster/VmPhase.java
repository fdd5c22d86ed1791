package io.sluice.messages.cluster;

/** The phase of a VM, by its driver. */
public enum VmPhase {
    /** Not started yet. */
    PENDING,
    /** Runs at its size. */
    RUNNING,
    /** Its size is being changed. */
    SCALING,
    /** Locked by a migration that has not begun to move it. */
    PRE_MIGRATING,
    /** It is moving to another node. */
    MIGRATING,
    /** Ended. */
    ENDED;

    /** Whether a migration has locked the VM. */
    public boolean locked() {
        return this == PRE_MIGRATING || this == MIGRATING;
    }

    /** Whether an agent may serve a VM in this phase. */
    public boolean served() {
        return switch (this) {
            case RUNNING, SCALING, PRE_MIGRATING -> true;
            case PENDING, MIGRATING, ENDED -> false;
        };
    }
}
