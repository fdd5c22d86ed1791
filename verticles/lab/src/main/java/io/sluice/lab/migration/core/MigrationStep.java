package io.sluice.lab.migration.core;

/** The next step of a migration. Each may be repeated after an interruption. */
public enum MigrationStep {
    /** Nothing now; check again soon. */
    WAIT,
    /** Nothing until the object changes. */
    REST,
    /** Add the finalizer and the VM's ownership to the object. */
    ADOPT,
    /** Lock the VM, and name the source and the target. */
    BEGIN,
    /** Create the target pod. */
    CREATE_TARGET,
    /** Set the target pod's node. */
    BIND_TARGET,
    /** Set the target pod to running. */
    START_TARGET,
    /** Begin to copy the VM from source to target. */
    BEGIN_COPY,
    /** Delete the target pod during the copying. */
    KILL_TARGET,
    /** The VM runs in the target from now on. */
    SWITCH_OVER,
    /** Set the phase to failed. */
    FAIL,
    /** Delete the source pod, after the VM has left it. */
    DROP_SOURCE,
    /** Delete the target pod, as the VM did not move. */
    DROP_TARGET,
    /** Unlock the VM, which is not copied any more, so that it can be scaled again. */
    FREE_VM,
    /** Undo or finish what is half done, and let the object be deleted. */
    LET_GO
}
