package io.sluice.lab.migration.core;

/**
 * The state of a migration at a moment.
 *
 * @param phase the phase of the object
 * @param deleting whether the object is being deleted
 * @param adopted whether the finalizer is on it
 * @param vm the VM that moves
 * @param target the pod to which it moves
 * @param sourceNamed whether the object still names the pod that the VM leaves
 */
public record LabMigrationView(
        Phase phase, boolean deleting, boolean adopted, Vm vm, Target target, boolean sourceNamed) {
    /** The phase of a migration. */
    public enum Phase {
        NEW,
        PENDING,
        RUNNING,
        SUCCEEDED,
        FAILED
    }

    /** The state of the VM, with regard to this migration. */
    public enum Vm {
        /** There is none of that name. */
        GONE,
        /** It runs, and is neither migrated nor scaled. */
        FREE,
        /** Another component works on it. */
        BUSY,
        /** This migration has locked it. */
        LOCKED,
        /** This migration copies it. */
        COPYING,
        /** It runs in the target pod. */
        MOVED
    }

    /** The state of the target pod. */
    public enum Target {
        /** It was not created yet. */
        NOT_MADE,
        /** It has no node. */
        UNBOUND,
        /** It has a node and does not run. */
        STARTING,
        /** It runs. */
        RUNNING,
        /** It was created and does not exist any more. */
        ENDED
    }
}
