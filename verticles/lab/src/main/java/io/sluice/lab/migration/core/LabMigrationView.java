package io.sluice.lab.migration.core;

/**
 * What is seen of a migration at a moment.
 *
 * @param phase how far the object says it is
 * @param deleting whether the object is to be deleted
 * @param adopted whether the finalizer is on it
 * @param vm the VM that moves
 * @param target the pod that it moves to
 * @param sourceNamed whether the object still names the pod that the VM leaves
 */
public record LabMigrationView(
        Phase phase, boolean deleting, boolean adopted, Vm vm, Target target, boolean sourceNamed) {
    /** How far it is. */
    public enum Phase {
        NEW,
        PENDING,
        RUNNING,
        SUCCEEDED,
        FAILED
    }

    /** The VM that moves, as far as this migration is concerned. */
    public enum Vm {
        /** There is none of that name. */
        GONE,
        /** It runs, and nobody moves or scales it. */
        FREE,
        /** Something else is done with it. */
        BUSY,
        /** This migration locked it. */
        LOCKED,
        /** This migration copies it. */
        COPYING,
        /** It runs in the target pod. */
        MOVED
    }

    /** The pod that the VM moves to. */
    public enum Target {
        /** It was not made yet. */
        NOT_MADE,
        /** It has no node. */
        UNBOUND,
        /** It has a node and does not run. */
        STARTING,
        /** It runs. */
        RUNNING,
        /** It was made and is no more. */
        ENDED
    }
}
