package io.sluice.units;

/** The two kinds of resources; every rule is applied to each kind separately. */
public enum ResourceKind {
    /** In milli-CPU. */
    CPU,
    /** In bytes. */
    MEMORY
}
