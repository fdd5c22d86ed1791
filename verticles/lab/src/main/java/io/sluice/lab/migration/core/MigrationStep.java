package io.sluice.lab.migration.core;

/** What is to be done for a migration next. Each may be done again where it was interrupted. */
public enum MigrationStep {
    /** Nothing for now: look again soon. */
    WAIT,
    /** Nothing until the object changes. */
    REST,
    /** Put the finalizer and the VM's ownership on the object. */
    ADOPT,
    /** Lock the VM, and name the source and the target. */
    BEGIN,
    /** Make the target pod. */
    CREATE_TARGET,
    /** Give the target pod its node. */
    BIND_TARGET,
    /** Let the target pod run. */
    START_TARGET,
    /** Copy the VM from source to target. */
    BEGIN_COPY,
    /** Take the target pod away in the middle of it. */
    KILL_TARGET,
    /** The VM runs in the target from now on. */
    SWITCH_OVER,
    /** It has failed. */
    FAIL,
    /** The source pod goes, after the VM has left it. */
    DROP_SOURCE,
    /** The target pod goes, as the VM did not come. */
    DROP_TARGET,
    /** The VM that is not copied any more can be scaled again. */
    FREE_VM,
    /** Undo or finish what is half done, and let the object be deleted. */
    LET_GO
}
