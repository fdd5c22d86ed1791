package io.sluice.lab.migration.core;

/** A fault of a migration, on request. */
public enum MigrationFault {
    /** The copying fails: the VM stays at its source. */
    FAILS,
    /** The target pod is never bound. */
    STAYS_UNBOUND,
    /** The target pod is bound and never runs. */
    HANGS_PENDING,
    /** The copying never ends. */
    HANGS_RUNNING,
    /**
     * The target pod ends before the copying began: as with NeonVM, the VM stays locked until the object is deleted.
     */
    ENDS_IN_PLACE,
    /** The target pod is bound to another node than the one that has room for it. */
    LANDS_ELSEWHERE,
    /** The target pod is deleted during the copying. */
    TARGET_DIES,
    /** The VM's status names its new pod some time before its new node. */
    NAMES_ITS_POD_FIRST,
    /** The VM's status names its new node some time before its new pod. */
    NAMES_ITS_NODE_FIRST
}
