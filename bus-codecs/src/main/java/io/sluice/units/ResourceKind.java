package io.sluice.units;

/** What a node has and a VM is given; every rule is applied to each kind for itself. */
public enum ResourceKind {
    /** In milli-CPU. */
    CPU,
    /** In bytes. */
    MEMORY
}
